import type { MutationKind } from './mutants.ts'

export const languages = ['python', 'javascript', 'go', 'rust', 'java', 'c', 'other'] as const
export type Language = (typeof languages)[number]

/** Returns the new lines, or null if this kind cannot change the line. `next`: the line below. */
type Rule = (line: string, next: string) => string[] | null

type Rules = {
  files: RegExp
  /** Lines without code. */
  ignored: RegExp
  /** The beginning of tests in the same file as their code. */
  end: RegExp
  /** A line that may have a comment above it. */
  first: RegExp
  comment: string
  kinds: Record<MutationKind, Rule>
}

const NEVER = /(?!)/

const indentOf = (line: string): string => /^\s*/.exec(line)?.[0] ?? ''

/** Equality and order, between spaces: without spaces, they may be a type's brackets. */
const OPPOSITE: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '==': '!=',
  '!=': '==',
  '<': '>=',
  '>=': '<',
  '>': '<=',
  '<=': '>',
}
const COMPARISON = /(?<= )(?:===|!==|==|!=|<=|>=|<|>)(?= )/
/** Lines in which such a sign may be no comparison: bounds of types, arrows, operators of templates. */
const TYPES = /\b(?:extends|implements|template|typename|interface|impl|where|type|include|import|fn|def)\b|<<|>>|=>/

const swapped: Rule = (line) => {
  const sign = TYPES.test(line) ? undefined : COMPARISON.exec(line)?.[0]
  return sign === undefined ? null : [line.replace(COMPARISON, OPPOSITE[sign] ?? sign)]
}

/** A constant of the same type, so that a compiler accepts it. */
const CONSTANTS: readonly (readonly [RegExp, string])[] = [
  [/^true$/i, 'false'],
  [/^false$/i, 'true'],
  [/^0$/, '1'],
  [/^\d+$/, '0'],
  [/^"[^"]+"$/, '""'],
  [/^'[^']{2,}'$/, "''"],
]

/** `return EXPRESSION`: another constant of the type; or `any` for any expression, if the language accepts that. */
const returned =
  (any: string | null, ending: string): Rule =>
  (line) => {
    const match = /^(\s*)return\s+(.+?);?\s*$/.exec(line)
    const [, indent = '', value = ''] = match ?? []
    if (!match || value === any) return null
    const other = CONSTANTS.find(([form]) => form.test(value))?.[1]
    const constant = other === undefined ? (isWhole(value) ? any : null) : asWritten(value, other)
    return constant === null ? null : [`${indent}return ${constant}${ending}`]
  }

/** Python writes `True`. */
const asWritten = (value: string, other: string): string =>
  /^[TF]/.test(value) ? other.charAt(0).toUpperCase() + other.slice(1) : other

/** Whether the expression ends on its line. */
function isWhole(value: string): boolean {
  let depth = 0
  for (const sign of value) {
    if ('([{'.includes(sign)) depth += 1
    if (')]}'.includes(sign)) depth -= 1
  }
  return depth === 0 && !/[\\,([{+\-*/&|?:=]$/.test(value) && !/^[`"']{3}|`/.test(value)
}

/** Removes a line with a single call whose value is not used. */
const removed =
  (call: RegExp, instead: (indent: string) => string): Rule =>
  (line) =>
    call.test(line) && isWhole(line.trim().replace(/;$/, '')) ? [instead(indentOf(line))] : null

/** Adds a statement below the head of a function, if the head ends on its line. */
const below =
  (head: RegExp, statement: string): Rule =>
  (line, next) => {
    if (!head.test(line)) return null
    const own = indentOf(line)
    const inner = indentOf(next)
    return next.trim() === '' || inner.length <= own.length ? null : [line, `${inner}${statement}`]
  }

const WORDS = String.raw`(?!(?:return|if|for|while|switch|else|catch|throw|new|raise|assert|yield|await|defer|go|import|super|print|do|try|function|class)\b)`
const C_COMMENT = /^\s*(?:\/\/|\/\*|\*|#|@|$)/
const C_CALL = new RegExp(String.raw`^\s*${WORDS}[\w.:>-]+(?:\.|->|::)?\w+\(.*\);\s*$`)

const JS_HEAD =
  /^\s*(?:(?:export\s+)?(?:default\s+)?(?:async\s+)?function\s*\*?\s*[\w$]*\s*(?:<[^>]*>)?\(.*\)[^;]*\{|(?:(?:public|private|static|async|get|set)\s+)*(?!(?:if|for|while|switch|catch|function|return)\b)[\w$#]+\s*\([^()]*\)(?::\s*[^={]+)?\s*\{|.*(?:=|:|\()\s*(?:async\s+)?(?:function\s*\(.*\)|\([^()]*\)(?::\s*[^={]+)?\s*=>)\s*\{)\s*$/
const PYTHON_HEAD = /^\s*(?:async\s+)?def\s+(?!__init__)\w+\(.*\)(?:\s*->\s*.+)?:\s*$/
const GO_HEAD = /^func\s.*\{\s*$/
const GO_VOID = /^func\s+(?:\([^()]*\)\s+)?\w+(?:\[[^\]]*\])?\([^()]*\)\s+\{\s*$/
const RUST_HEAD = /^\s*(?:pub(?:\([^)]*\))?\s+)?fn\s+\w+.*\{\s*$/
const JAVA_HEAD =
  /^\s+(?:(?:public|protected|private|static|final|synchronized)\s+)+(?!class|interface|enum|record)[\w<>[\], ?.]+\s+\w+\s*\([^;]*\)\s*(?:throws\s+[\w, .]+)?\{\s*$/
const C_HEAD =
  /^(?!\s*(?:if|for|while|switch|else|do|namespace|struct|class|enum|typedef|extern|catch)\b)[\w\s*&:<>,~]+\([^;{}]*\)\s*(?:const)?\s*\{\s*$/

export const rules: Readonly<Record<Language, Rules>> = {
  python: {
    files: /\.py$/,
    ignored: /^\s*(?:#|@|"""|'''|$)/,
    end: NEVER,
    first: /^(?:def|class|async def) /,
    comment: '#',
    kinds: {
      'returned constant': returned('None', ''),
      'swapped comparison': swapped,
      'early return': below(PYTHON_HEAD, 'return None'),
      'removed call': removed(new RegExp(String.raw`^\s+${WORDS}[\w.]+\(.*\)\s*$`), (indent) => `${indent}pass`),
      'raised error': below(PYTHON_HEAD, "raise RuntimeError('not today')"),
    },
  },
  javascript: {
    files: /\.[cm]?[jt]sx?$/,
    ignored: C_COMMENT,
    end: NEVER,
    first: /^(?:export |function |const |class )/,
    comment: '//',
    kinds: {
      'returned constant': returned('null', ''),
      'swapped comparison': swapped,
      'early return': below(JS_HEAD, 'return'),
      'removed call': removed(new RegExp(String.raw`^\s+${WORDS}[\w.$]+\(.*\);?\s*$`), (indent) => `${indent}void 0`),
      'raised error': below(JS_HEAD, "throw new Error('not today')"),
    },
  },
  go: {
    files: /\.go$/,
    ignored: C_COMMENT,
    end: NEVER,
    first: /^(?:func|type|var|const) /,
    comment: '//',
    kinds: {
      'returned constant': returned(null, ''),
      'swapped comparison': swapped,
      'early return': below(GO_VOID, 'return'),
      'removed call': removed(new RegExp(String.raw`^\s+${WORDS}[\w.]+\(.*\)\s*$`), (indent) => `${indent}_ = 0`),
      'raised error': below(GO_HEAD, 'panic("not today")'),
    },
  },
  rust: {
    files: /\.rs$/,
    ignored: C_COMMENT,
    end: /#\[cfg\(.*\btest\b/,
    first: /^(?:pub |fn |struct |enum |use )/,
    comment: '//',
    kinds: {
      'returned constant': returned(null, ';'),
      'swapped comparison': swapped,
      'early return': (line, next) =>
        line.includes('->') ? null : below(RUST_HEAD, 'if true { return; }')(line, next),
      'removed call': removed(C_CALL, (indent) => `${indent};`),
      'raised error': below(RUST_HEAD, 'if true { panic!("not today"); }'),
    },
  },
  java: {
    files: /\.java$/,
    ignored: C_COMMENT,
    end: NEVER,
    first: /^(?:public |final |abstract |class |interface )/,
    comment: '//',
    kinds: {
      'returned constant': returned(null, ';'),
      'swapped comparison': swapped,
      'early return': (line, next) =>
        /\bvoid\b/.test(line) ? below(JAVA_HEAD, 'if (true) return;')(line, next) : null,
      'removed call': removed(C_CALL, (indent) => `${indent};`),
      'raised error': below(JAVA_HEAD, 'if (true) throw new IllegalStateException("not today");'),
    },
  },
  c: {
    files: /\.(?:c|cc|cpp|cxx|h|hpp)$/,
    ignored: C_COMMENT,
    end: NEVER,
    first: /^(?:static |inline |void |int |char |class |struct |namespace |bool )/,
    comment: '//',
    kinds: {
      'returned constant': returned(null, ';'),
      'swapped comparison': swapped,
      'early return': (line, next) => (/\bvoid\s+\w/.test(line) ? below(C_HEAD, 'return;')(line, next) : null),
      'removed call': removed(C_CALL, (indent) => `${indent};`),
      'raised error': below(C_HEAD, '__builtin_trap();'),
    },
  },
  other: {
    files: /\.(?:rb|php|exs?|cs|kt)$/,
    ignored: C_COMMENT,
    end: NEVER,
    first: /^\s*(?:def|public|class|function|module|namespace) /,
    comment: '#',
    kinds: {
      'returned constant': returned(null, ';'),
      'swapped comparison': swapped,
      'early return': () => null,
      'removed call': () => null,
      'raised error': () => null,
    },
  },
}
