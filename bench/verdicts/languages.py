"""A seed to sentences in Japanese, Chinese, Korean, Hebrew and Arabic, and to the words that turn their meaning.

A sentence is a list of tokens: words where a language parts them, what could be a word in a dictionary where it does
not.
"""

# ruff: noqa: SIM905 -- lists of words are read more easily as running text

import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

Tokens = tuple[str, ...]

WIDE = str.maketrans({chr(code): chr(code + 0xFEE0) for code in range(0x21, 0x7F)})
"""ASCII to its full-width forms."""

NAMES = "Transformer Adam GPT-4 Kimi_K3 BERT ResNet-50 MuonClip LoRA Qwen_2.5 Qwen3 ImageNet Gemma_3".split()


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """How a language is written and what its sentences say.

    `turned` are pairs of token runs of opposite meaning, the first affirmed and the second denied; `compared` and
    `units` are pairs that must not be taken for each other; `others` are words that the sentences never use.
    `binding` are words that belong to what follows, `bound` those that belong to what comes before: no quote is cut
    there.
    """

    name: str
    joint: str
    patterns: tuple[str, ...]
    slots: Mapping[str, tuple[str, ...]]
    turned: tuple[tuple[Tokens, Tokens], ...]
    compared: tuple[tuple[str, str], ...]
    units: tuple[tuple[str, str], ...]
    others: tuple[str, ...]
    binding: frozenset[str]
    bound: frozenset[str]
    is_leftward: bool = False


def _words(**slots: str) -> dict[str, tuple[str, ...]]:
    return {slot: tuple(words.split()) for slot, words in slots.items()}


def _turned(text: str) -> tuple[tuple[Tokens, Tokens], ...]:
    """`affirmed tokens / denied tokens`, line by line."""
    pairs = (line.split("/") for line in text.splitlines())
    return tuple((tuple(one.split()), tuple(other.split())) for one, other in pairs)


def _pairs(text: str) -> tuple[tuple[str, str], ...]:
    pairs = (pair.split("/") for pair in text.split())
    return tuple((one, other) for one, other in pairs)


JAPANESE = Language(
    name="ja",
    joint="",
    patterns=tuple(
        """この {N} は {n} {U} の {P} で {S} され 、 {N} を {V} 。
{A} {N} は {L} {P} を {V} が 、 {n} % の {A} {N} は {L} 残る 。
{E} の {N} は {n} {U} {C} の {P} を {L} {V} 。
「 {A} {N} 」 とは 、 {N} が {L} {P} を {V} ことを 指す 。
{N} の {S} には {w} {U} の {P} と {x} の {N} を 用いた 。
{L} 、 {E} と {N} を 組み合わせて {n} ～ {n} {U} の {P} を {V} 。
{P} が {n} {U} {C} の 場合 、 {A} {N} は {N} を {V} （ {E} を 参照 ） 。
{A} {N} と {A} {N} の 差は {n} ポイント であり 、 {L} {P} を {V} 。""".splitlines()
    ),
    slots=_words(
        N="モデル 符号化器 ルータ 学習率 検証器 最適化手法 報酬モデル 混合層 注意機構 方策 環境 辞書 蒸留 専門家",
        P="文書 画像 会話 対話データ 試料 軌跡 問題 解答 コード片 トークン",
        A="小さな 大規模な 共通の 疎な 安定した 最終的な 多言語の 軽量な 初期の 教師ありの",
        L="第二段階で 統合の前に 各言語について 学習の終わりに すべての装置で 一定の予算の下で 後から 同時に",
        S="学習 評価 調整 圧縮 検証",
        V="使用した 使用し|なかった 含む 含ま|ない 保存する 保存し|ない 更新した 更新し|なかった 共有する",
        U="億 万 兆 GB 時間 日",
        C="以上 以下 未満",
    ),
    turned=_turned(
        "使用した/使用し なかった\n含む/含ま ない\n保存する/保存し ない\n更新した/更新し なかった\n共有する/共有し ない"
    ),
    compared=_pairs("以上/以下 未満/以上"),
    units=_pairs("億/兆 万/億 兆/億 GB/MB 時間/日 日/時間"),
    others=tuple("天気 りんご 古い 隣の 冬 図書館 静かな".split()),
    binding=frozenset(),
    bound=frozenset("以上 以下 未満 なかった ない".split()),
)

CHINESE = Language(
    name="zh",
    joint="",
    patterns=tuple(
        """该 {N} 在 {n} {U} {P} 上 进行 {S} ， 并且 {V} {A} {N} 。
{A} {N} {L} {V} {P} ， 其中 {n} % 来自 {E} 。
{E} 的 {N} {C} {n} {U} {P} ， {L} {V} {N} 。
“ {A} {N} ” 是指 {N} {L} {V} {P} 的 过程 。
{S} {N} 时 使用了 {w} {U} {P} 和 {x} 的 {N} 。
{L} ， {E} 与 {N} 结合 ， 将 {n} ～ {n} {U} {P} {V} 。
如果 {P} {C} {n} {U} ， {A} {N} 会 {V} {N} （ 见 {E} ） 。
{A} {N} 与 {A} {N} 相差 {n} 个百分点 ， {L} {V} {P} 。""".splitlines()
    ),
    slots=_words(
        N="模型 编码器 路由器 学习率 验证器 优化方法 奖励模型 混合层 注意力机制 策略 环境 词表 蒸馏 专家",
        P="文档 图像 对话 样本 轨迹 题目 答案 代码片段 词元",
        A="小型 大规模 共享 稀疏 稳定 最终 多语言 轻量 早期 有监督",
        L="在第二阶段 在合并之前 对每种语言 在训练结束时 在所有设备上 在固定预算下 随后 同时",
        S="训练 评估 调整 压缩 验证",
        V="使用 不|使用 包含 不|包含 保留 没有|保留 更新 未|更新 共用",
        U="亿 万 万亿 GB 小时 天",
        C="超过 不足 至少",
    ),
    turned=_turned("使用/不 使用\n包含/不 包含\n保留/没有 保留\n更新/未 更新\n共用/不 共用"),
    compared=_pairs("超过/不足 不足/超过 至少/至多"),
    units=_pairs("亿/万亿 万/亿 万亿/亿 GB/MB 小时/天 天/小时"),
    others=tuple("天气 苹果 古老 隔壁 冬季 图书馆 安静".split()),
    binding=frozenset("超过 不足 至少 不 没有 未".split()),
    bound=frozenset(),
)

KOREAN = Language(
    name="ko",
    joint=" ",
    patterns=tuple(
        """이 {N} {n} {U} {P} 대해 {S} 거쳤으며 {A} 데이터를 {V}
{A} {N} {L} {P} 기준으로 {n}%를 기록하고 나머지를 {V}
{E} 모델의 {N} {n} {U} {C} 자료를 {L} {V}
“{A} {N} 원칙”이란 {L} {P} 대해 결과를 {V}
{S} 위해 {w} {U} {P} 대한 자료와 {x} 방식을 {V}
{L} {E} 구조와 함께 {n}~{n} {U} {P} 대한 기록을 {V}
{P} 대한 값이 {n} {U} {C} 경우에는 {A} {N} 그 값을 {V}
{A} {N} 이전 값보다 {n} 포인트 높았고 {L} 기록을 {V}""".splitlines()
    ),
    slots=_words(
        N="모델은 부호기는 라우터는 학습률은 검증기는 최적화기는 보상은 혼합층은 정책은 환경은 사전은 전문가는",
        P="문서에 이미지에 대화에 표본에 궤적에 문제에 답안에 코드에 토큰에",
        A="작은 큰 공유된 희소한 안정된 최종적인 다국어 가벼운 초기의",
        L="두번째_단계에서 병합하기_전에 모든_언어에서 학습이_끝날때 모든_장치에서 정해진_예산에서 나중에 동시에",
        S="학습을 평가를 조정을 압축을 검증을",
        V="사용했다. 사용하지|않았다. 포함한다. 포함하지|않는다. 저장한다. 저장하지|않는다. 공유한다.",
        U="억 만 조 GB 시간 일",
        C="이상 이하 미만",
    ),
    turned=_turned(
        "사용했다./사용하지 않았다.\n포함한다./포함하지 않는다.\n저장한다./저장하지 않는다.\n공유한다./공유하지 않는다."
    ),
    compared=_pairs("이상/이하 이하/이상 미만/이상"),
    units=_pairs("억/조 만/억 조/억 GB/MB 시간/일 일/시간"),
    others=tuple("날씨 사과 오래된 이웃 겨울 도서관 조용한".split()),
    binding=frozenset(),
    bound=frozenset("이상 이하 미만 않았다. 않는다.".split()),
)

HEBREW = Language(
    name="he",
    joint=" ",
    patterns=tuple(
        """ה{N} {A} {V} {n} {U} של {P} {L}, ואחר כך {n}% מהם.
לפי {E}, ה{N} {V} {P} {L} (ראו {E}) ושומר {n} {U} מהם.
{C} {n} {U} של {P} נשמרים {L}, והשאר נשלחים אל ה{N}.
ה{N} של {E} {V} את ה{N} {L}, ב-{n} שלבים.
כאשר ה{N} {A}, הוא {V} “{P}” מסוג {E} {L}.
בין {n} ל-{n} {U} של {P} {V} ה{N} {L}, כמו {E}.
עם {n} GPUs ועם {n} {U}, ה{N} {V} {P} {A} {L}.""".splitlines()
    ),
    slots=_words(
        N="מודל מקודד נתב מאמת אופטימיזטור תגמול מילון תהליך מנגנון מומחה אלגוריתם",
        P="מסמכים תמונות שיחות דגימות מסלולים שאלות תשובות אסימונים",
        A="קטן גדול משותף דליל יציב סופי רב־לשוני ראשוני",
        L="בשלב_השני לפני_המיזוג בכל_השפות בסוף_האימון בכל_התקן תחת_תקציב_קבוע מאוחר_יותר",
        V="מעבד לא|מעבד קורא לא|קורא כולל אינו|כולל דוחס שומר לא|שומר",
        U="מיליון מיליארד שעות ימים GB",
        C="לפחות מעל מתחת_ל-",
    ),
    turned=_turned("מעבד/לא מעבד\nקורא/לא קורא\nכולל/אינו כולל\nדוחס/לא דוחס\nשומר/לא שומר"),
    compared=_pairs("מעל/פחות לפחות/מעל"),
    units=_pairs("מיליון/מיליארד מיליארד/מיליון שעות/ימים ימים/שעות GB/MB"),
    others=tuple("חורף תפוח ישן שכן ספרייה שקט".split()),
    binding=frozenset("לא אינו לפחות מעל".split()),
    bound=frozenset(),
    is_leftward=True,
)

ARABIC = Language(
    name="ar",
    joint=" ",
    patterns=tuple(
        """إن {N} {A} {V} {n} {U} من {P} {L}، ثم {n}% منها.
وفقا لنموذج {E} فإن {N} {V} {P} {L} (انظر {E}) بعد {n} {U} من ذلك.
{C} {n} {U} من {P} يبقى {L}، والباقي ينقل إلى {N}.
إن {N} في {E} {V} {P} خلال {n} مرحلة {L}.
وعندما يكون {N} هو {A} فإنه {V} “{P}” من نوع {E} {L}.
ما بين {n} إلى {n} {U} من {P} {V} {N} {L} مثل {E}.
باستخدام {d} {U} من {P} و {n} خطوة {V} {N} {A} {L}.""".splitlines()
    ),
    slots=_words(
        N="النموذج المشفر الموجه المدقق المحسن القاموس الإجراء الخبير الخوارزم المعلم الآلي",
        P="الوثائق الصور المحادثات العينات المسارات الأسئلة الإجابات الرموز الآلات",
        A="الصغير الكبير المشترك المتفرق المستقر النهائي الأولي الخفيف",
        L="في_المرحلة_الثانية قبل_الدمج لكل_لغة خلال_التدريب على_كل_جهاز ضمن_ميزانية_ثابتة لاحقا",
        V="يعالج لا|يعالج يقرأ لا|يقرأ يشمل لا|يشمل يضغط يحفظ لا|يحفظ",
        U="مليون مليار ساعة يوم GB",
        C="على_الأقل أكثر_من أقل_من",
    ),
    turned=_turned("يعالج/لا يعالج\nيقرأ/لا يقرأ\nيشمل/لا يشمل\nيضغط/لا يضغط\nيحفظ/لا يحفظ"),
    compared=_pairs("أكثر/أقل أقل/أكثر"),
    units=_pairs("مليون/مليار مليار/مليون ساعة/يوم يوم/ساعة GB/MB"),
    others=tuple("الشتاء تفاحة قديم جار مكتبة هادئ".split()),
    binding=frozenset("لا على الأقل أكثر أقل من".split()),
    bound=frozenset(),
    is_leftward=True,
)

LANGUAGES = {language.name: language for language in (JAPANESE, CHINESE, KOREAN, HEBREW, ARABIC)}


class Writer:
    """Writes sentences in a language."""

    def __init__(self, seed: str, language: Language) -> None:
        self.random, self.language = random.Random(seed), language

    def sentence(self) -> Tokens:
        """The tokens of a new sentence."""
        pattern = self.random.choice(self.language.patterns)
        filled = re.sub(r"\{(\w)\}", lambda match: self._slot(match.group(1)), pattern)
        return tuple(filled.replace("_", " ").replace("|", " ").split())

    def title(self) -> str:
        """A heading of a few words."""
        adjective, noun, thing = (self.random.choice(self.language.slots[slot]) for slot in "ANP")
        words = (noun, thing, adjective) if self.language.is_leftward else (adjective, noun, thing)
        return self.language.joint.join(words).replace("_", " ")

    def _slot(self, slot: str) -> str:
        match slot:
            case "n":
                return self._number()
            case "w":
                return self._number().translate(WIDE)
            case "d":
                return "".join(chr(0x0660 + int(digit)) for digit in str(self.random.randint(12, 9600)))
            case "E":
                name = self.random.choice(NAMES)
                return name if self.language.joint else name.replace("_", "")
            case "x":
                return self.random.choice(("ＡＢ１２", "Ｋ３", "ＬＬＭ", "ＧＰＵ"))
        return self.random.choice(self.language.slots[slot])

    def _number(self) -> str:
        kind = self.random.randrange(4)
        if kind == 0:
            return f"{self.random.randint(1, 40)},{self.random.randint(0, 999):03}"
        return f"{self.random.uniform(0.1, 90):.1f}" if kind == 1 else str(self.random.randint(2, 960))


def all_pairs(kind: str) -> Iterator[tuple[Tokens, Tokens]]:
    """The pairs of one kind in all languages: `turned`, `compared` or `units`."""
    for language in LANGUAGES.values():
        for one, other in getattr(language, kind):
            yield (one, other) if isinstance(one, tuple) else ((one,), (other,))


def others(word: str) -> tuple[str, ...]:
    """Words of the language of a word that no sentence uses; none for what is written in Latin letters."""
    from unicodedata import name

    scripts = {"HEBREW": "he", "ARABIC": "ar", "HANGUL": "ko", "HIRAGANA": "ja", "KATAKANA": "ja", "CJK": "zh"}
    found = {scripts[script] for letter in word if (script := name(letter, "").split(" ")[0]) in scripts}
    if not found:
        return ()
    return LANGUAGES["ja" if "ja" in found else found.pop()].others
