import { withoutStrings } from '../words.ts'

/*
 * Assertions only about a value's existence, its kind, or the side of a bound: many wrong values pass, too. They matter
 * only if one replaces an assertion about the exact value.
 */

/** A name alone, a call, or a path of both; no comparison. */
const VALUE = String.raw`(?!not |.* (?:in|is|and|or) )[^=<>!&|,]{1,300}`
/** A comparison that is no equality: `>= 0`, `< 100`, `!= -1`. */
const BOUND = String.raw`[^=<>!&|]{1,300}(?:[<>]=?|!==?)[^=&|]{1,200}`

/** A question that is as good as an equality: `startsWith`, `IsAbs`; not `isArray`. */
const PREDICATE = String.raw`(?!.*(?:==| in |\b(?:(?!is_?(?:array|integer|int|number|finite|string|object|list|map|some|ok|err|present|defined|valid)\b)(?:is|has)_?[a-z]+|\w*(?:[eE]quals?|[cC]ontains|[iI]ncludes?|[mM]atch(?:es)?|[sS]tarts_?[wW]ith|[eE]nds_?[wW]ith|[pP]refix|[sS]uffix|[fF]ind|[eE]xists?|strcmp|test))\??!?\())`

const exists: readonly string[] = [
  // Jest, Vitest, Chai, node:assert, AVA
  String.raw`\.(?:toBeDefined|toBeTruthy|toExist|exist|toBeInstanceOf|toBeTypeOf|isNotNull|isNotNil|be_truthy|be_present|NotBeNull|BeTruthy)\b`,
  String.raw`\.toBeUndefined\b.{0,3}not`,
  // A type is no value.
  String.raw`^(?:expectTypeOf|assertType)[(<]`,
  String.raw`\.(?:toBe(?:Greater|Less)Than(?:OrEqual)?|toBeOneOf)\(`,
  String.raw`\.not\.to(?:Be|Equal|StrictEqual|Throw|BeNull|BeUndefined|BeNaN)\(`,
  String.raw`\.to(?:Equal|StrictEqual|HaveBeenCalledWith)\(expect\.(?:any|anything)\([^()]{0,60}\)\)`,
  String.raw`\.to(?:Equal|MatchObject)\((?:expect\.\w+Containing\()?(?:\{\s*\}|\[\s*\])\)`,
  String.raw`\.to(?:HaveBeen|Be)Called\(\)`,
  String.raw`\.to\.(?:be\.)?(?:ok|an?\(|instanceof\(|instanceOf\(|at\.(?:least|most)\(|above\(|below\(|within\(|gte?\(|lte?\(|greaterThan\(|lessThan\()`,
  String.raw`\.(?:to\.not|not\.to)\.(?:deep\.)?(?:equal|eql?|be)\b`,
  String.raw`^assert\.(?:ok|isOk|exists|isDefined|isAbove|isAtLeast|isBelow|isAtMost|isNumber|isString|isObject|isArray|typeOf|instanceOf|notEqual|notStrictEqual|doesNotThrow)\s*\(${PREDICATE}`,
  String.raw`^assert\(${PREDICATE}`,
  String.raw`^t\.(?:truthy|not|assert|notThrows|notThrowsAsync|ok|notEqual)\(${PREDICATE}`,
  // Python
  `^assert ${PREDICATE}${VALUE}$`,
  `^assert ${BOUND}$`,
  '^assert [^=<>!]{1,200} is not None$',
  '^assert [^=<>]{1,200} or [^=<>]{1,200}$',
  String.raw`^assert (?:isinstance|callable|hasattr|len)\([^=]{1,300}$`,
  String.raw`\bself\.assert(?:True|False)\(${PREDICATE}`,
  String.raw`\bself\.assert(?:IsNotNone|Greater\w*|Less\w*|IsInstance|NotEqual|NotIn|IsNot)\(`,
  String.raw`\.assert_called(?:_once)?\(\)`,
  // Go, with testify
  String.raw`\b(?:assert|require)\.(?:NotNil|NotEmpty|NotZero|Greater\w*|Less\w*|Positive|Negative|IsType|NotEqual|NotPanics|Error|Implements)\(`,
  String.raw`\b(?:assert|require)\.(?:True|Condition)\((?!.*errors\.)${PREDICATE}`,
  // Rust
  String.raw`\bassert!\((?!.*(?:matches!|\.eq\())${PREDICATE}`,
  String.raw`\bassert!\(matches!\(.{1,300}, (?:_|Ok\(_\)|Err\(_\)|Some\(_\)|Ok\(.{0,20}\) \| Err\(_\))\)`,
  String.raw`\bassert!\([^=<>]{1,200}\.is_(?:ok|some|err|none)\(\)\s*\)`,
  String.raw`\bassert_ne!\(`,
  // Java, Kotlin
  String.raw`\bassert(?:NotNull|NotEquals|NotSame|InstanceOf|DoesNotThrow)\(`,
  String.raw`\bassertTrue\(${PREDICATE}|\bassertFalse\(.*\.equals\(`,
  String.raw`\.(?:isNotZero|isPositive|isNotNegative|isNotEmpty|isNotNull|isInstanceOf|isGreaterThan\w*|isLessThan\w*|isBetween|hasSizeGreaterThan\w*|hasSizeLessThan\w*|isNotEqualTo|isNotSameAs|isNotBlank)\(`,
  // C and C++
  String.raw`\b(?:EXPECT|ASSERT)_(?:GE|GT|LE|LT|NE|NO_THROW)\(`,
  String.raw`\b(?:(?:EXPECT|ASSERT)_TRUE|REQUIRE|CHECK)\(${PREDICATE}`,
  String.raw`\b(?:REQUIRE|CHECK)_NOTHROW\(`,
  // Ruby
  String.raw`\.to be_(?:an?|an_instance_of|a_kind_of|kind_of|instance_of|truthy|between|positive|present)\b|\.to be [<>]|\.to(?:_not| respond_to)\b|\.not_to (?:eq|eql|be_nil|be_empty|raise_error)\b`,
  String.raw`^(?:assert_(?:kind_of|instance_of|operator|respond_to|not_nil|not_equal|nothing_raised)|refute_(?:nil|equal|empty))\b`,
  String.raw`^assert (?!.* (?:is|in|and|or|not) )${PREDICATE}[\w@.()[\]?]{1,300}(?:, .*)?$`,
  // PHP
  String.raw`\bassert(?:Is(?:Int|String|Array|Float|Bool|Object|Numeric|Iterable|Callable)|GreaterThan\w*|LessThan\w*|NotEmpty|NotCount)\(`,
  // C#
  String.raw`\bAssert\.(?:NotNull|NotEmpty|NotEqual|NotSame|IsType|IsAssignableFrom|InRange|IsNotNull|IsInstanceOf\w*|Greater\w*|Less\w*|NotZero|Positive|DoesNotThrow\w*)\b`,
  String.raw`\bAssert\.(?:True|IsTrue|That)\((?!.*Is\.)${PREDICATE}`,
  String.raw`\.Should\(\)\.(?:NotBe\w*|BePositive|BeOfType|BeAssignableTo|BeGreaterThan\w*|BeLessThan\w*|BeInRange|HaveCountGreaterThan\w*)\b`,
  // Elixir
  String.raw`^assert (?:is_\w+\(|_ = |\[_ ?\| ?_\] = |%\{\} = |\{:ok, _\} = )`,
  // It may also hold in another way, or the comparison itself is the value.
  String.raw`\b(?:assert\w*!?|REQUIRE|CHECK|EXPECT_TRUE|ASSERT_TRUE|Assert\.(?:True|IsTrue))\(.*\|\|`,
  String.raw`\bexpect\((?:.*\|\|.*|[^=]*[<>][^=]*)\)\.(?:toBe\(true\)|toBeTruthy|to\.be\.true)`,
  String.raw`\bexpect\(\[.*\]\)\.(?:toContain|to\.include)`,
  // These accept one of several values, or any.
  String.raw`\.(?:oneOf|toBeOneOf|isIn|isOneOf|BeOneOf)\(`,
  String.raw`\bassertContains\([^[\]]{1,200}, ?\[|\bAssert\.Contains\([^{}]{1,200}, ?new`,
  String.raw`^assert [^"']{1,200} in (?:range\(|\[[\d\s,."'-]*\]|\{[\d\s,."'-]*\}|\d+\.\.\d+)`,
  String.raw`\btoSatisfy\(\(?\w*\)? => true|\bsatisfy\(\(?\w*\)? => true|\bsatisfy \{ true|\.satisfies\(\w+ -> \{ ?\}`,
  String.raw`->anything\(\)|::testing::_\b|\banything\(\)\)`,
  String.raw`\bexpect\((?:Number|Array|Object)\.is[A-Z]\w+\(`,
  String.raw`\bverify\(\w+, ?never\(\)\)`,
  // Kotest, Shouldly, specs of Minitest; Boost.Test, Unity
  String.raw`\b[sS]hould(?:NotBe|NotEqual|NotThrow|NotHave|BeGreater|BeLess|BeInstanceOf|BeOfType|BeTypeOf|BePositive|BeInRange|BeBetween|BeAssignableTo)\w*`,
  String.raw`\.(?:must_(?:be_(?:instance_of|kind_of)|be|respond_to)|wont_\w+)\b`,
  String.raw`\bBOOST_(?:TEST|CHECK|REQUIRE)_(?:NE|GE|GT|LE|LT|NO_THROW)\(`,
  String.raw`\bBOOST_(?:TEST(?:_REQUIRE)?|CHECK|REQUIRE)\(${PREDICATE}`,
  String.raw`\bTEST_ASSERT_(?:NOT|GREATER|LESS)_?\w*\(`,
  String.raw`\bTEST_(?:ASSERT|CHECK)(?:_TRUE)?\(${PREDICATE}`,
  // Others
  String.raw`\b(?:assertNotNil|assertIsObject|assert_not_nil|NotNull|NotNil|XCTAssertNotNil)\s*[( ]`,
]

const patterns = new RegExp(exists.map((one) => `(?:${one})`).join('|'))

/** A further link of the chain has the exact value. */
const saysWhich = /\.(?:isEqualTo|isSameAs|containsExactly\w*)\(/

/** It equals anything that it is compared with. */
const takesAny =
  /\.using\w*Comparator\(\(\w+, ?\w+\) -> (?:0|\{ ?return 0)|\.usingEquals\(\(\w+, ?\w+\) -> true|\.satisfiesAnyOf\(|\bdebug_assert(?:_eq|_ne)?!/

export function isLoose(line: string): boolean {
  const code = withoutStrings(line)
  if (takesAny.test(code)) return true
  return patterns.test(code) && !saysWhich.test(code)
}
