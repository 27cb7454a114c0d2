import { lineLinter } from '../../reading/line-lint.ts'

const named = (name: string): RegExp => new RegExp(`(?:^|[\\s/;&|("'])${name}(?=[\\s;&|)"']|$)`)

/** Its default format, `verbose`, `compact` and `unix`. */
export const stylelint = lineLinter({
  name: 'stylelint',
  label: 'stylelint',
  command: named('stylelint'),
  signs: ['  ✖  ', '  ×  ', ', error - ', ') [error]', ', 0 warnings)', 'NoFilesFoundError: '],
  silent: true,
  heading: /^(?<file>[^\s✖×][^:]{0,500}\.(?:css|scss|sass|less|pcss|vue|html|svelte|astro|jsx?|tsx?))$/,
  rows: [
    /^\s{1,8}(?<at>\d{1,7}:\d{1,7})\s{1,8}(?<level>[✖×⚠ℹ‼])\s{1,8}(?<text>\S.*)$/,
    /^(?<file>\S.{0,500}): line (?<at>\d{1,7}, col \d{1,7}), (?<level>error|warning) - (?<text>.+)$/,
    /^(?<file>[^\s:][^:]{0,500}):(?<at>\d{1,7}:\d{1,7}): (?<text>.+ \([\w/@-]{1,100}\)) \[(?<level>error|warning)\]$/,
    /^(?<text>NoFilesFoundError: .+)$/,
  ],
  ruleLast: true,
  harmless: /[⚠ℹ‼]|warning/,
  total: /^✖ \d{1,9} problems? \((\d{1,9}) errors?,/,
})

/** markdownlint-cli and markdownlint-cli2. */
export const markdownlint = lineLinter({
  name: 'markdownlint',
  label: 'markdownlint',
  command: named('markdownlint(?:-cli2)?'),
  signs: [' MD00', ' MD01', ' MD02', ' MD03', ' MD04', ' MD05', 'Summary: 0 error(s)'],
  hint: ' MD',
  rows: [
    /^(?<file>[^\s:][^:]{0,500}):(?<at>\d{1,7}(?::\d{1,7})?):? (?<level>error|warning)? ?(?<text>MD\d{3}\/\S{1,200} .+)$/,
  ],
  harmless: /warning/,
  total: /^Summary: (\d{1,9}) error\(s\)$/,
  clean: /^Summary: 0 error\(s\)$/,
})

export const cspell = lineLinter({
  name: 'cspell',
  label: 'CSpell',
  hint: ' word (',
  command: named('cspell'),
  signs: [' - Unknown word (', ' - Forbidden word (', 'CSpell: '],
  rows: [/^(?<file>[^\s:][^:]{0,500}):(?<at>\d{1,7}:\d{1,7}) - (?<text>(?:Unknown|Forbidden) word \(.+)$/],
  total: /^CSpell: Files checked: \d{1,9}(?: \(.{1,60}\))?, Issues found: (\d{1,9}) in/,
  clean: /^CSpell: Files checked: [1-9]\d{0,9}, Issues found: 0 in 0 files/,
})

/** JavaScript Standard Style; ESLint's rules in one line each. */
export const standard = lineLinter({
  name: 'standard',
  label: 'standard',
  hint: ': ',
  command: named('(?:ts-)?standard'),
  signs: ['standard: Use '],
  silent: true,
  rows: [
    /^ {2}(?<file>\S.{0,500}?):(?<at>\d{1,7}:\d{1,7}): (?<text>.+? \([\w/@-]{1,100}\))(?: \((?<level>warning)\))?$/,
  ],
  harmless: /warning/,
})

/** `--check` and `--list-different`. */
export const prettier = lineLinter({
  name: 'prettier',
  label: 'Prettier',
  hint: '] ',
  plain: 'not formatted',
  formats: /^not formatted$/,
  command: named('prettier'),
  signs: ['Checking formatting...', '[error] ', '[warn] '],
  rows: [
    /^\[warn\] (?<file>(?!Code style issues|ignored )\S.{0,500}?\.\w{1,12})$/,
    /^\[error\] (?<file>[^\s:>|][^:]{0,500}?): (?<text>(?:Syntax|Unexpected|Type)?Error: .+|.*No parser could be inferred.*)$/,
    /^\[error\] (?<text>No files matching .+|Invalid configuration .+|Cannot find (?:module|package) .+)$/,
  ],
  clean: /^All matched files use Prettier code style!$/,
})

export const commitlint = lineLinter({
  name: 'commitlint',
  label: 'commitlint',
  command: named('commitlint'),
  signs: ['⧗   input'],
  rows: [/^(?<level>[✖⚠]) {3}(?<text>\S.{0,500} \[[\w-]{1,60}\])$/],
  harmless: /⚠/,
})

export const svelteCheck = lineLinter({
  name: 'svelte-check',
  label: 'svelte-check',
  command: named('svelte-check'),
  signs: ['svelte-check found ', 'Loading svelte-check', 'FILES_WITH_PROBLEMS'],
  heading: /^(?<file>\S[^:]{0,500}):(?<at>\d{1,7}:\d{1,7})$/,
  rows: [
    /^Error: (?<text>.+)$/,
    /^\d{6,20} (?<level>ERROR|WARNING) "(?<file>[^"]{1,500})" (?<at>\d{1,7}:\d{1,7}) "(?<text>.+)"$/,
  ],
  harmless: /WARNING/,
  clean: /^svelte-check found 0 errors/,
})

/** `deno lint`, and `deno check` with TypeScript's errors in a form of its own. */
export const denoLint = lineLinter({
  name: 'deno-lint',
  label: 'deno lint',
  command: /\bdeno\s+lint\b/,
  signs: ['docs.deno.com/lint'],
  sure: /docs\.deno\.com\/lint/,
  rows: [/^(?<level>error|warning)\[(?<rule>[a-z-]{2,80})\]: (?<text>.+)$/],
  harmless: /warning/,
  more: /^ {1,8}--> (\S.*)$/,
  moreIs: 'place',
})

export const denoCheck = lineLinter({
  name: 'deno-check',
  label: 'deno check',
  type: 'build',
  command: /\bdeno\s+check\b/,
  signs: [' [ERROR]: '],
  rows: [/^(?<text>TS\d{3,6} \[ERROR\]: .+)$/],
  more: /^(?: {4}at (\S{1,500}:\d{1,9}:\d{1,9})|.{0,100}\S.*)$/,
  moreIs: 'place',
})

/** esbuild, alone or in other tools. */
export const esbuild = lineLinter({
  name: 'esbuild',
  label: 'esbuild',
  type: 'build',
  command: named('esbuild'),
  signs: ['✘ [ERROR] ', 'X [ERROR] '],
  rows: [/^[✘X] (?<text>\[ERROR\] \S.*)$/],
  more: /^(?: {4}(\S.{0,500}:\d{1,9}:\d{1,9}):| {6}(?:\d|[│╵]).*|)$/,
  moreIs: 'place',
})
