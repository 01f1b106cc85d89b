"""Label phrases in several languages, and the role that each gives to its value.

A star matches any ending. The longest matching phrase wins. Roles that begin with "no_" keep "total budget" from being
read as the size of a grant, and "results by" as a deadline.
"""

from __future__ import annotations

import re
from functools import lru_cache

LONGEST = 60

ROLES = {
    "deadline": (
        "deadline*, closing date*, closes, closes on, apply by, applications close, application deadline*, "
"due date, apply before, closing, "
        "докога, краен срок, срок за кандидатстване, срок за подаване, срок за документи, срок, прием до, подаване до, "
"крайна дата, кандидатстване до, "
        "einsendeschluss, bewerbungsschluss, antragsfrist*, bewerbungsfrist*, frist, fristende, abgabefrist, "
"antragsschluss, stichtag, "
        "date limite, clôture, clôture des candidatures, clôture de l'appel, date de clôture, dépôt des dossiers, "
        "fecha límite, plazo, plazo de presentación, plazo de solicitud, cierre, fin de plazo, "
        "termen, termen limită, termen-limită, data limită, termenul limită, depunere, scadenza"
    ),
    "window": (
        "application period, applications, applications open, open for applications, кандидатстване, "
"период на кандидатстване, прием, "
        "прием на документи, прием на заявления, bewerbungszeitraum, antragszeitraum, candidatures, "
"période de candidature, candidater, "
        "periodo de solicitud, solicitudes, înscrieri, perioada de înscriere"
    ),
    "no_opens": "opens, opening date, open from, ouverture, откриване, начало на приема, "
"начало на кандидатстването, apertura, deschidere",
    "no_results": (
        "result*, notification, announcement of results, decision*, резултати, класиране, оповестяване, "
"résultats, ergebnis*, entscheidung*, "
        "resolución, rezultate, fallo"
    ),
    "description": "aim*, objective*, purpose, цел*, предмет, ziel*, objectif*, objet, objeto, objetivo*, "
"obiectiv*, scop, description, описание, за какво",
    "no_duration": (
        "срок за въпроси, questions by, дата на обявяване, "
        "duration, project period, project duration, implementation period, продължителност*, "
"период на изпълнение, срок на изпълнение, laufzeit*, "
        "projektlaufzeit, durée, période de réalisation, duración, perioada de implementare, durata, срок за изпълнение"
    ),
    "no_total": (
        "total budget, total, overall budget, budget, total fund*, общ бюджет, общо, общ размер, бюджет, "
"бюджет на процедурата, gesamtbudget, "
        "gesamtsumme, budget total, enveloppe, enveloppe globale, crédito total, presupuesto, "
"presupuesto total, buget total, buget*, "
        "общ финансов ресурс, общ размер на безвъзмездната финансова помощ"
    ),
    "no_own": (
        "co-financing, cofinancing, own contribution, match funding, собствен принос, съфинансиране*, "
"собствено участие, eigenanteil, eigenmittel, "
        "cofinancement, apport personnel, cofinanciación, cofinanțare*, contribuție proprie, интензитет*"
    ),
    "amount": (
        "grants of, колко, amount*, grant size, grant amount, size of grant*, award*, how much, "
"funding amount, grant, maximum grant, max grant, maximum amount, value, "
        "размер, размер на финансирането, размер на гранта, размер на помощта, размер на безвъзмездната*, "
"размер на субсидията, сума, "
        "максимална сума, максимален размер*, максимална помощ, финансиране, стойност, грант, безвъзмездна*, субсидия, "
        "fördersumme, förderhöhe, förderung, fördermittel, betrag, zuschuss, höhe der förderung, max. betrag, "
        "montant*, combien, aide, subvention, cuantía, importe*, dotación, valoarea finanțării, valoare*, "
"suma*, finanțare*, valoarea grantului"
    ),
    "minimum": "minimum grant, minimum amount, minimum, min, минимален размер*, минимална сума, mindestbetrag, "
"montant minimum, valoare minimă, importe mínimo",
    "eligibility": (
        "eligib*, who can apply, who may apply, who is it for, who it is for, who for, who it's for, for whom, "
"for who, who, for, open to, who can come, "
        "you can apply if, you may apply if, who can use it, who can use this, who we help, target group*, "
"applicants, eligible applicants, audience, who is eligible, "
        "допустими кандидати, кой може да кандидатства, кой може, за кого*, кандидати, бенефициенти, "
"допустимост, право да кандидатстват*, целева група, "
        "право да кандидатстват имат, условия за кандидатите, за кого е услугата, потребители, кой, за кого е, "
"кой може да ползва*, ползватели, "
        "antragsberechtigt*, wer kann sich bewerben, wer, für wen, zielgruppe*, wer wird gefördert, "
        "bénéficiaires, pour qui, qui peut candidater, éligibilité, public, publics, public concerné, "
"beneficiarios, destinatarios, requisitos, "
        "quién puede solicitar*, para quién, dirigido a, solicitanți eligibili, solicitanți, beneficiari, "
"eligibilitate, pentru cine, cine poate aplica"
    ),
    "funder": (
        "funder*, funded by, donor, sponsor, grant maker, funding body, awarding body, offered by, финансира*, "
"финансираща организация, дарител*, донор, "
        "възложител, финансиращ орган, управляващ орган, програмен оператор, спонсор, fördergeber*, förderer, "
"geldgeber, mittelgeber, financeur*, "
        "bailleur, financiador, entidad convocante, convoca, finanțator*"
    ),
    "region": "territorial scope, териториален обхват, обхват, region, area, territory, място на изпълнение, "
"територия, регион, област, fördergebiet, region, région, territoire, ámbito, "
"ámbito territorial, regiune, zona*",
    "cost": (
        "колко струва, how much it costs, combien ça coûte, cuánto cuesta, cost*, price*, fee*, charge*, "
"ticket*, admission, entry, entrance, how much does it cost, цена, такса, цени, вход, билет*, "
"стойност на билета, "
        "такси, месечна такса, kosten, preis, eintritt, gebühr*, beitrag, tarif*, prix, entrée, coût, "
"participation, participation aux frais, precio*, "
        "entrada*, coste, tarifa*, preț*, intrare*, cost, participare, taxă*, bilete, плащане, струва"
    ),
    "hours": (
        "opening hours, hours, open, opening times, office hours, when open, open hours, times, drop-in, "
"drop in, sessions, working hours, работно време, приемно време, "
        "приемни часове, часове, приемни дни, прием на граждани, работим, отворено, öffnungszeiten, "
"sprechzeiten, sprechstunde*, offene sprechstunde, geöffnet, "
        "horaire*, horaires d'ouverture, permanence*, ouvert, horario*, horarios, program, programul, orar, "
"program de lucru, program cu publicul, кога работим"
    ),
    "address": (
        "address*, адрес, адрес на управление, адреси, anschrift, adresse, dirección, adresa, sediu, sede, "
"седалище, find us, how to find us, седалище и адрес*, офис, къде се намираме, къде сме"
    ),
    "place": (
        "venue, place, location, where, място, къде, място на провеждане, локация, зала, ort, "
"veranstaltungsort, wo, treffpunkt, lieu, où, lugar, dónde, "
        "donde, locul, locație, loc, unde, място на работа, place of work, arbeitsort, работно място, luogo, sala"
    ),
    "phone": (
        "phone*, telephone*, tel, call, call us, ring, mobile, helpline, телефон*, тел, моб, gsm, мобилен, "
"телефон за връзка, телефон за записване, telefon*, fon, handy, "
        "téléphone, tél, teléfono*, móvil, ring us"
    ),
    "no_fax": "fax, факс, télécopie, telefax",
    "email": "email*, e-mail*, mail, имейл, е-поща, електронна поща, ел. поща, поща, courriel, mél, correo, "
"correo electrónico, e-poștă, пишете ни",
    "organizer": (
        "обслужва се от, organiser*, organizer*, organised by, organized by, host, hosted by, presented by, "
"организатор*, организира, домакин, veranstalter*, "
        "organisateur*, organisé par, organiza*, organizador*, organizator*, gastgeber, aufnahmeorganisation, "
"employer, работодател, arbeitgeber"
    ),
    "provider": (
        "provider*, service provider*, run by, provided by, доставчик*, доставчик на услугата, "
"предоставя се от, träger, anbieter, prestataire, "
        "porté par, gestionnaire, proveedor, entidad gestora, furnizor*, operated by"
    ),
    "when": (
        "date*, when, dates, date and time, дата*, кога, дата и час, период, дни, datum, wann, termin*, "
"zeit und ort, date et heure, quand, dates, fecha*, "
        "cuándo, cuando, data*, când, perioada, zeitraum"
    ),
    "time": "time*, start time, starts, начало, час, начален час, uhrzeit, beginn, zeit, heure*, hora*, ora, "
"ore, începe",
    "no_doors": "doors, doors open, врати, einlass, portes, puertas, apertura de puertas, uși",
    "start": "start date, starting date, start, starts on, begins, постъпване, начало на работа, начална дата, "
"eintrittsdatum, arbeitsbeginn, prise de poste, début, fecha de inicio, inicio, data începerii",
    "employment": (
        "employment type, contract, contract type, type of contract, working time, hours per week, "
"вид заетост, тип заетост, договор, вид договор, работен график, ангажираност, "
        "beschäftigungsart, arbeitszeit, umfang, anstellung, type de contrat, contrat, temps de travail, "
"tipo de contrato, jornada, tip contract, normă"
    ),
    "no_salary": "salary, pay, wage*, заплата, възнаграждение, заплащане, gehalt, vergütung, salaire, "
"rémunération, salario, salariu, covered, we offer, предлагаме, какво предлагаме",
    "name": (
        "name, title, programme, program name, scheme, fund, grant name, event, activity, job title, post, "
"role, position, vacancy, service, clinic, course, session, what, "
        "programme name, конкурс, програма, име, наименование, проява, събитие, заглавие, мярка, услуга, "
"процедура, длъжност, позиция, спектакъл, инициатива, схема, кабинет, "
        "bezeichnung, programm, titel, veranstaltung, stelle, angebot, nom, intitulé, événement, activité, "
"dispositif, poste, nombre, denominación, título, actividad, evento, "
        "convocatoria, ayuda, puesto, denumire, nume, eveniment, titlu, activitate, post, библиотека, филиал, "
"обект, branch, library, center, centre, звено, отдел, дирекция"
    ),
    "contact": (
        "contact*, contact person, enquiries, questions, further information, more information, information, "
"info, за контакти, контакти, лице за контакт, лице за контакти, "
        "за връзка, за въпроси, въпроси, за справки, за информация, координатор*, ansprechpartner*, kontakt, "
"ihre ansprechpartnerin, auskunft, renseignements, "
        "contacto, consultas, información, persoană de contact, informații, contactați, отговаря, "
"телефон за въпроси, записване, enrol*, registration, anmeldung"
    ),
    "official_id": (
        "company number, registration number, charity number, registered charity*, charity no, charity, "
"vat number, reg. no, registered number, еик, булстат, еик/булстат, "
        "registernummer, handelsregister, vereinsregister, registergericht, ust-idnr*, siret, siren, rna, "
"n° rna, cif, nif, cui, c.u.i, cif/cui, registration no, rcn, chy"
    ),
    "legal_name": "legal name, registered name, юридическо име, пълно наименование, rechtsname, raison sociale, "
"razón social, denumirea legală",
    "founded": "founded*, established*, основана*, създадена*, gegründet*, fondée*, fundada*, înființată*, "
"година на основаване",
    "external_id": "reference*, ref, ref. no, reference number, call id, call number, номер на процедурата, "
"код на процедурата, процедура №, kennziffer, aktenzeichen, référence, referencia, cod apel, "
"код",
    "language": "language*, език, sprache*, langue*, idioma*, limba",
    "link": "link, website, web, join, online, zoom, връзка, уебсайт, сайт, site, page web",
    "coordinates": "gps, coordinates, координати, gps координати, koordinaten, coordonnées gps, coordenadas",
}  # fmt: skip

EMOJI_ROLES = (
    ("place", "📍🏠📌🗺"),
    ("hours", "🕙🕐🕒🕘⏰🕓🕔🕑🕗"),
    ("phone", "📞☎📱"),
    ("email", "✉📧"),
    ("cost", "🎟🎫💶"),
    ("when", "📅📆🗓"),
    ("eligibility", "👥"),
    ("organizer", "🏛"),
)
EMOJI = {sign: role for role, signs in EMOJI_ROLES for sign in signs}


def _phrases() -> dict[str, list[tuple[str, str]]]:
    """Index the phrases by the first two letters."""
    found: dict[str, list[tuple[str, str]]] = {}
    for role, phrases in ROLES.items():
        for phrase in phrases.split(","):
            found.setdefault(phrase.strip().split(" ")[0].rstrip("*")[:2], []).append((phrase.strip(), role))
    return found


_BY_BEGINNING = _phrases()
_WORD = re.compile(r"[\w'’/°.-]+")


@lru_cache(maxsize=4096)
def role_of(label: str) -> str:
    """Return the role of a label, by the longest phrase in its first words, or ""."""
    if len(label) > LONGEST or "," in label:
        return ""
    words = [word.strip(".'’-").replace("’", "'") for word in _WORD.findall(label.casefold())]
    words = [word for word in words if word and not word.isdigit()]
    best = ("", "", 0)
    for place in range(min(len(words), 4)):
        for phrase, role in _BY_BEGINNING.get(words[place][:2], ()):
            length = _match_length(phrase, words[place:])
            # A single common word counts only at the beginning.
            if length and (place == 0 or length > 1 or role.startswith("no_")) and (length, -place) > (best[2], -9):
                best = (role, phrase, length)
    role, phrase, length = best
    return role if length and len(words) <= length + 4 else ""


def _match_length(phrase: str, words: list[str]) -> int:
    parts = phrase.split(" ")
    if len(parts) > len(words):
        return 0
    for part, word in zip(parts, words, strict=False):
        if not (word.startswith(part[:-1]) if part.endswith("*") else word == part.strip(".")):
            return 0
    return len(parts)
