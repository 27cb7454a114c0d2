import { withoutStrings } from '../words.ts'

/*
 * Assertions with an exact value, in whole or in part. Any replacement about the same subject without the value demands
 * less: there are too many weak forms to list them.
 */

const EXACT = new RegExp(
  [
    String.raw`[^=!<>]==?=?[^=>]|!==?|<=>| (?:is|in) `,
    String.raw`\bto(?:Be|Equal|StrictEqual|MatchObject|HaveLength|Contain\w*|Match\w*|Throw\w*|HaveBeenCalledWith|HaveBeenNthCalledWith|HaveBeenCalledTimes|HaveText\w*|HaveValue|HaveAttribute|HaveClass|BeNull|BeUndefined|BeCloseTo|HaveReturnedWith|HaveURL|HaveTitle|HaveCount|HaveStyle|HaveProperty|BeInTheDocument|BeVisible|BeDisabled|BeEnabled|BeEmpty\w*|BeChecked)\b`,
    String.raw`\b\w*(?:[eE]quals?|[sS]ame|[mM]atch(?:es)?|[cC]ontains?|[iI]ncludes?|[rR]aises?|[tT]hrows?\w*|[sS]napshot|[cC]ount|[lL]ength|[sS]ize|[eE]mpty|[dD]iff|[nN]ull|[nN]il|[nN]one|[eE]rror\w*|[rR]ejects|[pP]anic|[vV]erify|[cC]alled\w*|[dD]elta)\b`,
    String.raw`\b(?:is|same|like|deepEqual|eql?|lengthOf|property|keys|members|regex|ok|isEqualTo|containsExactly\w*|hasSize|hasToString|hasMessage\w*|assert_(?:eq|ne|matches|equal\w*|same|includes|match|raises?|in_delta|predicate|empty|nil|output)|be_(?:nil|empty|within)|match_array|contain_exactly|have_\w+|raise_error|ElementsMatch|JSONEq|Len|ErrorIs|EqualError)\b`,
    String.raw`\b(?:EXPECT|ASSERT|REQUIRE|CHECK)_(?:EQ|NE|STREQ|STRNE|STRCASEEQ|FLOAT_EQ|DOUBLE_EQ|NEAR|THAT|THROW\w*|DEATH|FALSE|STR_EQ\w*)\b`,
    String.raw`\b(?:Assert\.(?:Equivalent|Collection|Single|False|All)|Should\(\)\.(?:Be|BeEquivalentTo|Contain\w*|HaveCount|StartWith|EndWith|BeNull|BeEmpty|BeTrue|BeFalse))\b`,
    String.raw`\b\w+_?(?:[sS]tarts?|[eE]nds?)_?[wW]ith\b|\b[hH]as(?:Prefix|Suffix)?\w*\b|\b[iI]s[A-Z_]\w*\(|\bmatches!|\b[fF]alse\b`,
    String.raw`\b[sS]hould(?:Not)?(?:Be|Equal|Contain|HaveSize|Throw|Match|StartWith|EndWith)\w*|\bmust_(?:equal|include|match|raise|be_nil|be_empty|be_same_as|be_close_to|output)\b`,
    String.raw`\b(?:BOOST|TEST_ASSERT|CU_ASSERT|CPPUNIT_ASSERT|(?:ck|cr|mu|munit|g)_assert)\w*(?:EQUAL|CLOSE|THROW|NULL|eq|str|cmp)\w*|\bQCOMPARE\b`,
    // A function of the tests' own checks whatever it is for.
    String.raw`\bassert(?!Timeout|DoesNotThrow|NotNull|InstanceOf|True|That|All|Is)[A-Z]\w*\(`,
  ].join('|'),
)

/** Whether the line says which value something is, has or is not. */
export const isExact = (line: string): boolean => EXACT.test(withoutStrings(line))

/** The values in a line, without empty ones. */
export const valuesIn = (line: string): string[] =>
  [
    ...line.matchAll(/"((?:[^"\\]|\\.){1,200})"|'((?:[^'\\]|\\.){1,200})'|`([^`]{1,200})`|(?<![\w$.])-?(\d[\d_.]*)/g),
  ].map((found) => found.slice(1).find(Boolean) ?? '')
