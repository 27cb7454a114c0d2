import { lineLinter } from '../../reading/line-lint.ts'

/** GNU Fortran: the place, the source, then the error. */
export const gfortran = lineLinter({
  name: 'gfortran',
  label: 'gfortran',
  type: 'build',
  command: /(?:^|[\s;&|/-])gfortran(?:-\d+)?(?=\s|$)/,
  signs: ['\nError: ', '\nFatal Error: '],
  silent: true,
  heading: /^(?<file>\S[^:]{0,500}\.[fF](?:\d\d|or|pp)?):(?<at>\d{1,9}:\d{1,9}):$/,
  rows: [/^(?:Fatal )?Error: (?<text>.+)$/],
  headed: true,
  headingEnds: ':',
})

/** CMake, while it configures. */
export const cmake = lineLinter({
  name: 'cmake',
  label: 'CMake',
  type: 'build',
  command: /(?:^|[\s;&|/])cmake(?=\s|$)/,
  signs: ['CMake Error'],
  plain: 'CMake Error',
  rows: [
    /^CMake Error(?: \(dev\))? at (?<file>[^\s:]{1,500}):(?<at>\d{1,9})(?: \([\w-]{1,60}\))?:(?<text> .+)?$/,
    /^CMake Error: (?<text>\S.*)$/,
  ],
  more: /^ {2}(\S.*)$/,
  moreIs: 'message',
  // CMake's own modules have absolute paths; the project's files have paths from its root.
  stack: /^Call Stack \(most recent call first\):$/,
  caller: /^ {2}(?<file>[^\s:/][^\s:]{0,500}):(?<at>\d{1,9}) \([\w-]{1,60}\)$/,
})

/** The compiler of Elixir, before and since 1.15. */
export const elixir = lineLinter({
  name: 'elixir',
  label: 'Elixir',
  type: 'build',
  command: /\bmix\s+compile\b/,
  signs: ['== Compilation error', '** (CompileError)', '** (SyntaxError)', '** (TokenMissingError)'],
  rows: [
    /^\*\* \((?:Compile|Syntax|TokenMissing|Undefined\w{0,40})Error\) (?<file>[^\s:]{1,500}):(?<at>\d{1,9}(?::\d{1,9})?): (?<text>.+)$/,
  ],
})

/** `php -l`, and fatal errors of programs. */
export const php = lineLinter({
  name: 'php',
  label: 'PHP',
  type: 'build',
  command: /(?:^|[\s;&|/])php\s+-l(?=\s|$)/,
  signs: ['Parse error: ', 'Fatal error: '],
  rows: [/^(?:PHP )?(?<text>(?:Parse|Fatal) error: .+?) in (?<file>\S{1,500}?)(?: on line |:)(?<at>\d{1,9})$/],
})

export const nim = lineLinter({
  name: 'nim',
  label: 'Nim',
  type: 'build',
  command: /(?:^|[\s;&|/])nim(?:ble)?\s+\w+/,
  signs: [') Error: '],
  rows: [/^(?<file>\S.{0,500}\.nims?)\((?<at>\d{1,9}, \d{1,9})\) Error: (?<text>.+)$/],
})
