import type { PatchLine } from './patch.ts'

/*
 * Code that looks at its callers, its program or what is loaded, and finds a test or a runner there: it may answer tests
 * in another way. To log a caller is honest; to compare it with the name of a test is not.
 */

type Look = { calls?: RegExp; program?: RegExp }

/** By the extension of a file: where code finds its callers, and its program. */
const LOOKS: readonly (readonly [RegExp, Look])[] = [
  [
    /\.[cm]?[jt]sx?$/,
    {
      calls: /\.stack\b|\bcaptureStackTrace\(|\bnpm_lifecycle_/,
      program: /\bprocess\.(?:argv|title)\b|\brequire\.main\b/,
    },
  ],
  [
    /\.py$/,
    {
      calls: /\b_getframe\(|\bextract_stack\(|\bcurrentframe\(|\binspect\.stack\(|\bf_back\b/,
      program: /\bsys\.(?:argv|orig_argv|modules)\b/,
    },
  ],
  [/\.go$/, { calls: /\bruntime\.Callers?\(|\bdebug\.Stack\(/, program: /\bos\.Executable\(|\bos\.Args\b/ }],
  [/\.rs$/, { calls: /\bBacktrace\b/, program: /\bcurrent_exe\(|\benv::args\(/ }],
  [/\.(?:java|kt)$/, { calls: /\bStackWalker\b|\bgetStackTrace\b|\.stackTrace\b/ }],
  [
    /\.cs$/,
    { calls: /\bStackTrace\b|\bCallerFilePath\b/, program: /\bGetAssemblies\(|\bProcessName\b|\bFriendlyName\b/ },
  ],
  [/\.rb$/, { calls: /\bcaller(?:_locations)?\b/, program: /\$PROGRAM_NAME|\$0\b|\bconst_defined\?/ }],
  [/\.php$/, { calls: /\bdebug_backtrace\(|->getTrace\w*\(/, program: /\$argv\b|\$_SERVER\[["']argv/ }],
  [/\.exs?$/, { calls: /:current_stacktrace\b/, program: /\bensure_loaded\?\(|\bProcess\.whereis\(/ }],
  [/\.(?:c|cc|cpp|cxx)$/, { program: /\bprogram_invocation\w*|\b__progname\b|\/proc\/self\/(?:cmdline|comm|exe)/ }],
]
/** A text, or a pattern between slashes. */
const QUOTED = /"((?:[^"\\]|\\.){0,200})"|'((?:[^'\\]|\\.){0,200})'|`([^`]{0,200})`|\/((?:[^/\\]|\\.){0,200})\//g
const TEST = /(?<![a-zA-Z])(?:tests?|specs?)(?![a-z])|Tests?$|Spec$/
const RUNNER =
  /(?<![a-z])_?(?:pytest|unittest|mocha|jest|vitest|jasmine|ava|rspec|minitest|phpunit|xunit|nunit|mstest|testhost|exunit|junit)(?![a-z])|[._]test$|\/deps\/|^--test$/i
const RUNNER_OF_ELIXIR = /\bExUnit\b/
/** A test runs in a thread of its name. */
const THREAD =
  /\bthread::current\(\)\.name\(\).*(?:[!=]= |\b(?:contains|starts_with|ends_with|is_some_and|map_or)\b)(?!.*"main")/
const GLOBAL =
  /\btypeof (?:describe|jest|vi|beforeEach|afterEach) [!=]==? ["']|["'](?:describe|jest|vi|beforeEach)["'] in (?:globalThis|global|window)\b|\b__(?:vitest|jest)_\w+__\b/
const CHOOSES = /\b(?:if|unless|elif|when|case|match|while)\b|\?|&&|\|\|/
const NEAR = 4

/** A POSIX extended regular expression for lines with such a look. */
export const LOOKING =
  '\\.stack[^A-Za-z]|captureStackTrace|npm_lifecycle|process\\.(argv|title)|require\\.main|_getframe|extract_stack|currentframe|sys\\.(argv|orig_argv|modules)|runtime\\.Caller|debug\\.Stack|os\\.(Executable|Args)|current_exe|env::args|thread::current|Backtrace|StackWalker|tackTrace|CallerFilePath|GetAssemblies|ProcessName|FriendlyName|caller|PROGRAM_NAME|const_defined|debug_backtrace|getTrace|argv|current_stacktrace|ensure_loaded|Process\\.whereis|program_invocation|__progname|proc/self|typeof (describe|jest|vi|beforeEach|afterEach) |(describe|jest|vi|beforeEach).? in (global|window)|__(vitest|jest)_'

/** The first new line that looks for a test or a runner, and does something else then. */
export function asksWhoCalls(
  path: string,
  lines: readonly PatchLine[],
  isNew: (line: PatchLine) => boolean,
): PatchLine | undefined {
  const look = LOOKS.find(([name]) => name.test(path))?.[1]
  if (look === undefined) return undefined
  return lines.find((line, at) => {
    if (!isNew(line)) return false
    const near = lines.slice(at, at + NEAR)
    if (!near.some(({ plain }) => CHOOSES.test(plain))) return false
    if (GLOBAL.test(line.plain) || THREAD.test(line.plain)) return true
    if (look.program?.test(line.plain) === true)
      return near.some((other) => isNew(other) && (names(other.plain, RUNNER) || RUNNER_OF_ELIXIR.test(other.plain)))
    if (look.calls?.test(line.plain) !== true) return false
    return near.some((other) => isNew(other) && (names(other.plain, TEST) || names(other.plain, RUNNER)))
  })
}

const names = (plain: string, what: RegExp): boolean =>
  [...plain.matchAll(QUOTED)].some((found) => what.test(found.slice(1).find(Boolean) ?? ''))
