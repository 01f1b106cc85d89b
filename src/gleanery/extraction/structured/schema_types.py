"""The types of schema.org and what they are to us; whatever is not named here is nothing to note down."""

from __future__ import annotations

import re
from collections.abc import Iterable

EVENTS = frozenset({"Festival", "EventSeries", "Hackathon", "CourseInstance"})
# Deliveries, broadcasts and clicks are events to schema.org alone.
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
# Both a place and an organisation: a place where it says where it is.
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
# A part of the country is where a thing is, not a venue that has a name on its door.
AREAS = frozenset({"City", "Country", "State", "AdministrativeArea", "SchoolDistrict", "DefinedRegion"})

_NAME = re.compile(r"(?:https?:/*(?:www\.)?schema\.org/*#?|schema\.org/|schema:)?([A-Za-z][A-Za-z0-9]{1,59})/?")


def type_name(written: str) -> str:
    """Event for Event, schema:Event and https://schema.org/Event; "" for other vocabularies."""
    match = _NAME.fullmatch(written.strip())
    return match[1] if match else ""


def kind_of(types: Iterable[str], *, located: bool) -> str:
    """One of kinds.KINDS, `course`, or "". Of several types the most telling counts."""
    told = frozenset(types)
    if any(_is_event(each) for each in told):
        return "event"
    for kind, known in (
        ("course", COURSES),
        ("opportunity", OPPORTUNITIES),
        ("funding", FUNDING),
        ("service", SERVICES),
    ):
        if told & known:
            return kind
    if told & BUSINESSES:
        return "place" if located else "organization"
    if told & PLACES:
        return "place"
    return "organization" if told & ORGANIZATIONS else ""


def is_organization(types: Iterable[str]) -> bool:
    return not (ORGANIZATIONS | BUSINESSES).isdisjoint(types)


def _is_event(name: str) -> bool:
    return (name.endswith("Event") and name not in NO_EVENTS) or name in EVENTS
