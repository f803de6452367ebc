"""A seed to sentences of an invented report: numbers, units, negations, comparisons, words that typesetting bends."""

# ruff: noqa: SIM905 -- lists of words are read more easily as running text

import random
from collections.abc import Iterator, Mapping

from bench.verdicts.model import Piece, Word

NOUNS = """encoder router adapter tokenizer optimizer scheduler verifier sampler decoder curriculum checkpoint corpus
shard buffer cache kernel gradient rollout trajectory policy critic reward rubric benchmark sandbox environment context
window layer block head expert prefix suffix mixture objective baseline ablation pipeline cluster accelerator workflow
profile artefact officer affinity diffusion coefficient offset configuration reflection conflict fluency waffle
specification suffixation amplifier effect effort difficulty filter finder flag flow fixture""".split()
ADJECTIVES = """small large frozen shared sparse dense noisy stable early late careful plain mixed final official
efficient sufficient affine offline fluent difficult different specific flexible long-context low-rank open-ended
well-formed self-consistent rule-based high-quality multi-turn pre-trained state-of-the-art hand-written
coarse-grained cold-start user-defined unsupervised unbiased unfinished reproducible deterministic
multilingual instrumental approximate representative considerable""".split()
VERBS = """reads writes filters reorders compresses discards repeats evaluates estimates normalises overwrites defers
buffers refines flattens stratifies classifies verifies offloads amplifies reconfigures synthesises distributes
approximates deduplicates interpolates""".split()
PLURALS = """tokens samples documents images episodes prompts answers steps layers experts devices languages files
conversations trajectories fragments coefficients differences specifications""".split()
PLACES = """in the second phase|before the merge|after the warm-up|on every device|for each language
during the cooldown|at the end of the run|inside the sandbox|across all shards|between two checkpoints
under a fixed budget|with the default settings|over the whole corpus|outside the main path|within a single epoch
along the critical path""".replace("\n", "|").split("|")
NAMES = {
    "composed": """Poincaré Gödel Łukasiewicz Erdős Müller Bézier Ångström Núñez Šidák Hélène Çelik Dvořák Façade
    naïve""".split(),
    "plain": "Turing Shannon Hopper Lovelace Kolmogorov Fisher Bayes Markov Neyman Wiener".split(),
}
UNITS = """M B K % GB MB TB ms hours days tokens GPU-hours steps samples layers epochs""".split()
ATTACHED = {"M", "B", "K", "%"}


class Writer:
    """Writes sentences, each other than the last; `traits` maps what is special about a word to how often it comes."""

    def __init__(self, seed: str, traits: Mapping[str, float], accents: str, notes: float) -> None:
        self.random = random.Random(seed)
        self.traits, self.notes = traits, notes
        self.names = NAMES["plain"] if accents == "none" else NAMES["composed"]

    def sentence(self) -> tuple[Word, ...]:
        """The words of a new sentence, one of them with a foot note now and then."""
        pattern = self.random.choice(PATTERNS)
        words = [word(text) for text in self._filled(pattern).split(" ")]
        words = [self._special(item) for item in words]
        if len(words) > 8 and self.random.random() < self.notes:
            numbers = [at for at, item in enumerate(words) if item.quoted.replace(",", "").isdecimal()]
            is_number = numbers and self.random.random() < 0.25
            at = self.random.choice(numbers) if is_number else self.random.randrange(3, len(words) - 3)
            trait = "note mark after a number" if is_number else "note mark"
            if (is_number or words[at].quoted[-1:].isalpha()) and words[at].trait is None:
                words[at] = Word(pieces=words[at].pieces, quoted=words[at].quoted, note=self.note(), trait=trait)
        return tuple(words)

    def note(self) -> str:
        return self._filled(self.random.choice(NOTES))

    def caption(self) -> str:
        return self._filled(self.random.choice(CAPTIONS))

    def title(self) -> str:
        """A heading of two or three words."""
        return f"{self.pick(ADJECTIVES)} {self.pick(NOUNS)} {self.pick(PLURALS)}".capitalize()

    def row(self) -> tuple[str, ...]:
        """The cells of a table's row."""
        name = f"{self.pick(NOUNS)}-{self.random.randint(2, 99)}".capitalize()
        shares = (f"{self.random.uniform(0, 99):.1f}" for _ in range(3))
        return (name, self.number(), f"{self.number()} GB", *shares)

    def pick(self, words: list[str]) -> str:
        return self.random.choice(words)

    def number(self) -> str:
        kind = self.random.randrange(6)
        if kind == 0:
            return f"{self.random.randint(1, 40)},{self.random.randint(0, 999):03}"
        if kind == 1:
            return f"{self.random.uniform(0.1, 9.9):.2f}"
        return str(self.random.randint(2, 960)) if kind < 4 else f"{self.random.uniform(1, 90):.1f}"

    def amount(self) -> str:
        unit = self.pick(UNITS)
        return f"{self.number()}{unit}" if unit in ATTACHED else f"{self.number()} {unit}"

    def _filled(self, pattern: str) -> str:
        while "{" in pattern:
            before, _, rest = pattern.partition("{")
            slot, _, after = rest.partition("}")
            pattern = f"{before}{self._slot(slot)}{after}"
        return pattern

    def _slot(self, slot: str) -> str:
        match slot:
            case "n":
                return self.number()
            case "q":
                return self.amount()
            case "s":
                return f"{self.random.choice(('+', '−'))}{self.random.uniform(0.1, 9.9):.2f}"
            case "c":
                return self.random.choice((">", "<", "≥", "≤"))
            case "r":
                return f"[{self.random.randint(1, 98)}]"
            case "name":
                return self.pick(self.names)
            case "place":
                return self.random.choice(PLACES)
        return self.pick({"N": NOUNS, "A": ADJECTIVES, "V": VERBS, "P": PLURALS}[slot])

    def _special(self, plain: Word) -> Word:
        for trait, share in self.traits.items():
            if plain.quoted.isalpha() and len(plain.quoted) > 3 and self.random.random() < share:
                return self._bent(plain, trait)
        return plain

    def _bent(self, plain: Word, trait: str) -> Word:
        """A word with something beside it that extractors take for a part of it."""
        text, figure = plain.quoted, self.random.randint(2, 9)
        match trait:
            case "index":
                index = self.random.choice(("(d,e)", "i", "t+1", "max"))
                return Word(pieces=(Piece(text=text), Piece(text=index, style="lowered")), quoted=text, trait=trait)
            case "power":
                base, power = self.random.randint(2, 9), str(figure + 3)
                signs = "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in power)
                set_number = (Piece(text=f"{base}×10"), Piece(text=power, style="raised"))
                return Word(pieces=set_number, quoted=f"{base}×10{signs}", trait=trait)
            case "subscript":
                pieces = (Piece(text="H"), Piece(text="2", style="lowered"), Piece(text="O"))
                return Word(pieces=pieces, quoted="H2O", trait=trait)
            case "fraction":
                sign = self.random.choice("½¼¾")
                return Word(pieces=(Piece(text=f"{figure}{sign}"),), quoted=f"{figure}{sign}", trait=trait)
            case "thin space":
                number = f"{figure * 7}\u2009{self.random.randint(100, 999)}"
                return Word(pieces=(Piece(text=number),), quoted=number, trait=trait)
            case "small capitals":
                return Word(pieces=(Piece(text=text.capitalize(), style="small capitals"),), quoted=text, trait=trait)
            case "ligature":
                set_ = text.replace("ffi", "ﬃ").replace("ffl", "ﬄ").replace("ff", "ﬀ")
                set_ = set_.replace("fi", "ﬁ").replace("fl", "ﬂ")
                return Word(pieces=(Piece(text=set_),), quoted=text, trait=trait if set_ != text else None)
            case "italic":
                return Word(pieces=(Piece(text=text, style="italic"),), quoted=text, trait=None)
        raise ValueError(trait)


def word(text: str) -> Word:
    """A plain word."""
    return Word(pieces=(Piece(text=text),), quoted=text)


PATTERNS = """The {A} {N} {V} {q} of {P} {place}, while the {A} {N} {V} only {n} of them.
Our {N} does not {A} the {P}; it {V} them {place} and keeps {q} for the {N}.
At least {n} {P} of the {A} {N} are kept {place}, and at most {n} go to the {N}.
The {N} falls by {n}% after {n} steps, while the {A} {N} stays at {s} {place}.
Runs with a {N} {c} {n} are kept {place}, those whose {N} is {c} {n} are dropped without a {A} {N}.
Following {name} and {name} {r}, the {N} {V} the {A} {N} — “{A} {N}” in their words — {place}.
We never {A} the {N} before {q} have passed, because the {N}’s {P} are {A} {place}.
More than {q} of {P} come from the {A} {N}, which {V} no {P} of the {A} {N} {place}.
Neither the {N} nor the {A} {N} {V} the {P} that {name} describes {r}, {place} or later.
From {n}–{n} {P}, the {N} {V} less than {q} {place} and the {A} {N} takes the remaining {n}.
A {A} {N} with {q} {V} the {A} {P} {place}, so that its {N} changes from {s} to {s}.
This is not a {A} {N}: the {P} are {A}, the {N} is {A}, and {q} {place} cannot hide that.
With {n} {P} per {N}, the {A} {N} {V} up to {q} {place} without any {A} {P} of the {N}.
The {P} are {A} and {A}, and a {N} that {V} the {A} {N} {place} needs fewer than {n} {P}.
Although the {N} {V} {n} {P} {place}, the {A} {N} is above {n} and its {N} below {n} for {name}.
It {V} the {A} {N}, the {A} {N} and the {A} {N} {place}, each on {n} {P} of the {A} {N}.""".splitlines()
NOTES = """The {A} {N} of {name} {V} {n} {P}.
See the {A} {N} for {q}, {place}.
Its {P} are {A} and not {A}.""".splitlines()
CAPTIONS = """The {A} {N} against the {N} over {n} {P}, {place}.
How the {N} {V} {q} of {A} {P}, without the {A} {N}.""".splitlines()


def plain_words(text: str) -> Iterator[Word]:
    return (word(part) for part in text.split(" "))
