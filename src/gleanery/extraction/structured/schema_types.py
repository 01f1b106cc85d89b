"""Mapping of schema.org types to our kinds; types not listed here are ignored."""

from __future__ import annotations

import re
from collections.abc import Iterable

EVENTS = frozenset({"Festival", "EventSeries", "Hackathon", "CourseInstance"})
# Deliveries, broadcasts and sales are not events for us.
NO_EVENTS = frozenset({"DeliveryEvent", "PublicationEvent", "BroadcastEvent", "OnDemandEvent", "SaleEvent"})
COURSES = frozenset({"Course"})
SERVICES = frozenset({"Service", "GovernmentService", "FoodService", "TaxiService"})
OPPORTUNITIES = frozenset(
    {"JobPosting", "VolunteerAction", "EducationalOccupationalProgram", "WorkBasedProgram"},
)
FUNDING = frozenset({"MonetaryGrant", "Grant", "FundingScheme"})
PLACES = frozenset(
    str.split(
        "Place CivicStructure Airport Aquarium Beach BoatTerminal Bridge BusStation BusStop Campground Cemetery "
        "Crematorium EventVenue FireStation GovernmentBuilding CityHall Courthouse DefenceEstablishment Embassy "
        "LegislativeBuilding Hospital MovieTheater Museum MusicVenue Park ParkingFacility PerformingArtsTheater "
        "PlaceOfWorship BuddhistTemple Church CatholicChurch HinduTemple Mosque Synagogue Playground PoliceStation "
        "PublicToilet RVPark StadiumOrArena SubwayStation TaxiStand TrainStation Zoo Landform BodyOfWater Mountain "
        "LandmarksOrHistoricalBuildings TouristAttraction TouristDestination Library"
    )
)
# Both place and organisation: a place if it has a location.
BUSINESSES = frozenset(
    str.split(
        "LocalBusiness AnimalShelter ArchiveOrganization AutomotiveBusiness ChildCare Dentist DryCleaningOrLaundry "
        "EmergencyService EmploymentAgency EntertainmentBusiness AmusementPark ArtGallery ComedyClub NightClub "
        "FinancialService FoodEstablishment Bakery BarOrPub CafeOrCoffeeShop FastFoodRestaurant Restaurant "
        "GovernmentOffice PostOffice HealthAndBeautyBusiness HealthClub HomeAndConstructionBusiness InternetCafe "
        "LegalService Attorney Notary LodgingBusiness Hostel Hotel MedicalBusiness CommunityHealth Dermatology "
        "Dietary Geriatric Gynecologic MedicalClinic Optician Pediatric Pharmacy Physician PhysiciansOffice "
        "Physiotherapy PrimaryCare Psychiatric ProfessionalService RecyclingCenter SelfStorage ShoppingCenter "
        "SportsActivityLocation BowlingAlley ExerciseGym PublicSwimmingPool SkiResort SportsClub TennisComplex "
        "Store BookStore TouristInformationCenter TravelAgency DiagnosticLab VeterinaryCare"
    )
)
ORGANIZATIONS = frozenset(
    str.split(
        "Organization NGO Corporation Consortium Cooperative EducationalOrganization CollegeOrUniversity "
        "ElementarySchool HighSchool MiddleSchool Preschool School FundingAgency GovernmentOrganization "
        "LibrarySystem MedicalOrganization NewsMediaOrganization OnlineBusiness PerformingGroup DanceGroup "
        "MusicGroup TheaterGroup PoliticalParty Project ResearchProject ResearchOrganization "
        "SearchRescueOrganization SportsOrganization SportsTeam WorkersUnion"
    )
)
# Areas locate a thing but are not venues.
AREAS = frozenset({"City", "Country", "State", "AdministrativeArea", "SchoolDistrict", "DefinedRegion"})

_NAME = re.compile(r"(?:https?:/*(?:www\.)?schema\.org/*#?|schema\.org/|schema:)?([A-Za-z][A-Za-z0-9]{1,59})/?")


def type_name(written: str) -> str:
    """Return Event for Event, schema:Event and https://schema.org/Event; "" for other vocabularies."""
    match = _NAME.fullmatch(written.strip())
    return match[1] if match else ""


def kind_of(types: Iterable[str], *, located: bool) -> str:
    """Return one of kinds.KINDS, `course` or "", by the most specific of several types."""
    given = frozenset(types)
    if any(_is_event(each) for each in given):
        return "event"
    for kind, known in (
        ("course", COURSES),
        ("opportunity", OPPORTUNITIES),
        ("funding", FUNDING),
        ("service", SERVICES),
    ):
        if given & known:
            return kind
    if given & BUSINESSES:
        return "place" if located else "organization"
    if given & PLACES:
        return "place"
    return "organization" if given & ORGANIZATIONS else ""


def is_organization(types: Iterable[str]) -> bool:
    return not (ORGANIZATIONS | BUSINESSES).isdisjoint(types)


def _is_event(name: str) -> bool:
    return (name.endswith("Event") and name not in NO_EVENTS) or name in EVENTS
