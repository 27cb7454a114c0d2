import { lineLinter } from '../../reading/line-lint.ts'

const named = (name: string): RegExp => new RegExp(`(?:^|[\\s/;&|("'])${name}(?=[\\s;&|)"']|$)`)

/** ShellCheck's `-f gcc`; its format for people is in `shellcheck.ts`. Also Cppcheck and clang-tidy in GCC's form. */
export const cppcheck = lineLinter({
  name: 'cppcheck',
  label: 'Cppcheck',
  hint: ' [',
  command: named('cppcheck'),
  signs: ['Checking ', ': error: ', ': warning: ', ': style: '],
  silent: true,
  rows: [
    /^(?<file>[^\s:[][^:]{0,500}):(?<at>\d{1,7}:\d{1,7}): (?<level>error|warning|style|performance|portability): (?<text>.+ \[(?!SC\d)[a-zA-Z]\w{2,80}\])$/,
  ],
})

export const clangTidy = lineLinter({
  name: 'clang-tidy',
  label: 'clang-tidy',
  hint: ' [',
  command: named('(?:run-)?clang-tidy(?:-\\d+)?'),
  signs: [': warning: ', ': error: '],
  rows: [
    /^(?<file>[^\s:[][^:]{0,500}):(?<at>\d{1,7}:\d{1,7}): (?<level>error|warning): (?<text>.+ \[[a-z]\w{1,30}(?:-[\w.+*]{1,60}){1,10}(?:,-warnings-as-errors)?\])$/,
  ],
})

export const rubocop = lineLinter({
  name: 'rubocop',
  label: 'RuboCop',
  hint: ': ',
  command: named('(?:rubocop|standardrb)'),
  signs: [' offenses detected', ' offense detected', 'Offenses:', 'no offenses detected'],
  rows: [
    /^(?<file>[^\s:][^:]{0,500}):(?<at>\d{1,7}:\d{1,7}): (?<level>[CWEFRI]): (?:\[Correct(?:able|ed)\] )?(?<text>[A-Z]\w{1,40}(?:\/\w{1,80})+: .+|Lint\/Syntax: .+)$/,
  ],
  harmless: /I/,
  total: /^\d{1,9} files? inspected, (\d{1,9}) offenses? detected/,
  clean: /inspected, no offenses detected/,
})

export const luacheck = lineLinter({
  name: 'luacheck',
  label: 'luacheck',
  command: named('luacheck'),
  signs: [' errors in ', ' warnings / '],
  rows: [/^ {4}(?<file>[^\s:][^:]{0,500}):(?<at>\d{1,7}:\d{1,7}): (?<text>\S.*)$/],
  clean: /^Total: 0 warnings \/ 0 errors in [1-9]/,
})

/** PHP_CodeSniffer. */
export const phpcs = lineLinter({
  name: 'phpcs',
  label: 'PHP_CodeSniffer',
  command: named('phpcs'),
  signs: [' | ERROR | ', ' | WARNING | '],
  silent: true,
  heading: /^FILE: (?<file>\S.*)$/,
  rows: [/^ {0,6}(?<at>\d{1,7}) \| (?<level>ERROR|WARNING) {1,3}\| (?:\[[x ]\] )?(?<text>\S.*)$/],
  harmless: /WARNING/,
  more: /^ {1,8}\| {7,9}\| {1,6}(\S.*)$/,
  moreIs: 'message',
})

/** rustfmt, also through Cargo. */
export const rustfmt = lineLinter({
  name: 'rustfmt',
  label: 'rustfmt',
  command: /\b(?:cargo\s+fmt|rustfmt)\b/,
  signs: ['Diff in '],
  silent: true,
  plain: 'not formatted',
  formats: /^not formatted$/,
  rows: [/^Diff in (?<file>\S.{0,500}?)(?: at line |:)(?<at>\d{1,9}):$/],
  more: /^[-+] ?(.*)$/,
})
