"""Pages to skip although their words fit: gambling, shops, loans, privacy notices, glossaries, advice, archives."""

from __future__ import annotations

import re

from gleanery.extraction.plain.layout.blocks import BlockPage

# One match in the title or a main heading is enough.
ABOUT_NOTHING = re.compile(
    r"\b(?:privacy|cookie policy|cookies policy|terms (?:of|and)|terms & conditions|imprint policy|glossar\w*|"
    r"glossary|lexikon|faq|"
    r"поверителност|лични данни|бисквитки|общи условия|речник|архив\w*|arhiva|archiv\b|archive[sd]?\b|"
    r"past events|минали събития|"
    r"datenschutz\w*|agb|politique de confidentialité|mentions légales|protección de datos|"
    r"política de (?:privacidad|cookies)|"
    r"politica de confidențialitate|404|page not found|страницата не е намерена)",
    re.IGNORECASE,
)
ADVICE = re.compile(
    r"\b(?:\d+ (?:tips|mistakes|ways|reasons|things)|how (?:to|we) (?:write|apply|win|get)|\d+ грешк\w+|"
    r"\d+ съвет\w+|как (?:се|да) (?:пиш|напиш|кандидатств|спечел)\w*|"
    r"грешк\w+,? които|\d+ (?:tipps|fehler|conseils|erreurs|consejos|errores|sfaturi|greșeli))",
    re.IGNORECASE,
)
# Words of trades that use the language of grants; two different matches are enough.
TRADES = tuple(words.split(", ") for words in (
    (
    "casino, казино, хазарт, ротативк, слотове, джакпот, jackpot, free spins, безплатни завъртания, "
    "завъртания, sportsbook, bookmaker, залози, превъртане, glücksspiel, apuestas, păcănele, pariuri, "
    "wager, 18+, бонус при първи депозит"
    ),
    (
    "add to basket, add to cart, basket (, your basket, checkout, free delivery, prices include vat, "
    "day returns, добави в количка, кошница, безплатна доставка, in den warenkorb, warenkorb, "
    "versandkosten, ajouter au panier, livraison gratuite, añadir al carrito, carrito, adaugă în coș, "
    "coșul de cumpărături, customer reviews, in stock"
    ),
    (
    "payday loan, quick loan, бърз кредит, бързи кредити, кредит до заплата, sofortkredit, "
    "credite rapide, без доказване на доход, apr representative"
    ),
))  # fmt: skip
ENOUGH = 2
ARTICLE = re.compile(
    r"\b(?:by our [\w ]+ (?:reporter|correspondent)|min(?:utes?)? read|\d+ минути четене|reporter\b|"
    r"correspondent\b|автор:|advertisement\b|most read|"
    r"newspaper|minutes de lecture|minuten lesezeit|редактор:)",
    re.IGNORECASE,
)


def veto_reason(page: BlockPage) -> str:
    """Return why the page must be skipped, or ""."""
    heads = " | ".join(
        [page.title, *(block.text for block in page.blocks if block.kind == "heading" and block.level == 1)]
    )[:1_000]
    if match := ABOUT_NOTHING.search(heads):
        return f"its title says {match.group().strip()!r}"
    text = f"{heads}\n" + "\n".join(block.text for block in page.blocks)[:100_000]
    text = text.casefold()
    for words in TRADES:
        found = [word for word in words if word in text]
        if len(found) >= ENOUGH:
            return f"it speaks of {', '.join(found[:3])}"
    return ""


def is_article(page: BlockPage) -> bool:
    """Return True for news and advice, whose sums and dates are not offers."""
    heads = " | ".join(
        [page.title, *(block.text for block in page.blocks if block.kind == "heading" and block.level == 1)]
    )[:1_000]
    return bool(ADVICE.search(heads) or any(ARTICLE.search(block.text) for block in page.blocks[:40]))
