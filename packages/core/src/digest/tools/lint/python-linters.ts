import { lineLinter } from '../../reading/line-lint.ts'

const named = (name: string): RegExp => new RegExp(`(?:^|[\\s/;&|("'])${name}(?=[\\s;&|)"']|$)`)

/** flake8, pycodestyle and pyflakes with codes. */
export const flake8 = lineLinter({
  name: 'flake8',
  label: 'flake8',
  hint: '.py',
  command: named('(?:flake8|pycodestyle)'),
  signs: ['.py:', '.pyi:'],
  // Ruff's concise format.
  unless: /^Found \d{1,9} errors?\.$|^\[\*\] \d{1,9} fixable|^\d{1,9} fixable with/,
  silent: true,
  rows: [/^(?<file>[^\s:][^:]{0,500}\.pyi?):(?<at>\d{1,7}:\d{1,7}): (?<text>[A-Z]{1,3}\d{3,4} (?!\[\*\]).+)$/],
})

export const pylint = lineLinter({
  name: 'pylint',
  label: 'pylint',
  hint: ': ',
  command: named('pylint'),
  signs: ['************* Module ', 'Your code has been rated at '],
  rows: [/^(?<file>[^\s:][^:]{0,500}):(?<at>\d{1,7}:\d{1,7}): (?<text>[CRWEF]\d{4}: .+)$/],
  clean: /^Your code has been rated at 10\.00\/10/,
})

/** Also basedpyright. */
export const pyright = lineLinter({
  name: 'pyright',
  label: 'pyright',
  command: named('(?:based)?pyright'),
  signs: [' - error: ', ' errors, '],
  rows: [/^ {2}(?<file>\S.{0,500}?):(?<at>\d{1,7}:\d{1,7}) - (?<level>error|warning|information): (?<text>.+)$/],
  harmless: /warning|information/,
  more: /^\s{4,12}(\S.*)$/,
  clean: /^0 errors, \d{1,9} warnings?, \d{1,9} (?:informations?|notes?)/,
})

/** Astral's type checker; it draws like rustc. */
export const ty = lineLinter({
  name: 'ty',
  label: 'ty',
  hint: ']: ',
  command: named('ty'),
  signs: ['error['],
  sure: /^Found \d{1,9} diagnostics?$/,
  rows: [/^(?<level>error|warning)\[(?<rule>[a-z]{2,30}(?:-[a-z]{1,30}){1,8})\]: (?<text>.+)$/],
  harmless: /warning/,
  more: /^ {1,8}--> (\S.*)$/,
  moreIs: 'place',
})

export const black = lineLinter({
  name: 'black',
  label: 'black',
  plain: 'would be reformatted',
  formats: /^would be reformatted$/,
  command: named('black'),
  signs: ['would reformat ', 'error: cannot ', 'Oh no! ', ' would be left unchanged.'],
  rows: [/^would reformat (?<file>\S.{0,500}?\.(?:pyi?|ipynb))$/, /^error: (?<text>cannot (?:format|parse):? \S.*)$/],
  clean: /^\d{1,9} files? would be left unchanged\.$/,
})

export const isort = lineLinter({
  name: 'isort',
  label: 'isort',
  hint: ' Imports are ',
  formats: /^Imports are incorrectly sorted/,
  command: named('isort'),
  signs: ['Imports are incorrectly sorted'],
  silent: true,
  rows: [/^ERROR: (?<file>\S.{0,500}?) (?<text>Imports are incorrectly sorted.*)$/],
})

export const pydocstyle = lineLinter({
  name: 'pydocstyle',
  label: 'pydocstyle',
  command: named('pydocstyle'),
  signs: [' in public ', ' at module level:', ' in private '],
  silent: true,
  heading: /^(?<file>[^\s:][^:]{0,500}\.pyi?):(?<at>\d{1,7}) (?:in|at) .{1,300}:$/,
  headingEnds: ':',
  headed: true,
  rows: [/^ {8}(?<text>D\d{3}: .+)$/],
})

export const codespell = lineLinter({
  name: 'codespell',
  label: 'codespell',
  hint: ' ==> ',
  command: named('codespell'),
  signs: [' ==> '],
  silent: true,
  rows: [/^(?<file>[^\s:][^:]{0,500}):(?<at>\d{1,7}): (?<text>\S{1,100} ==> \S.*)$/],
})

export const yamllint = lineLinter({
  name: 'yamllint',
  label: 'yamllint',
  command: named('yamllint'),
  signs: ['  error  ', ': [error] '],
  silent: true,
  heading: /^(?<file>\S.{0,500}\.(?:ya?ml|clang-format|yamllint))$/,
  rows: [
    /^ {2}(?<at>\d{1,7}:\d{1,7}) {1,8}(?<level>error|warning) {1,4}(?<text>\S.*\((?:[\w-]{1,60})\))$/,
    /^(?<file>[^\s:][^:]{0,500}):(?<at>\d{1,7}:\d{1,7}): \[(?<level>error|warning)\] (?<text>.+)$/,
  ],
  harmless: /warning/,
})

export const sqlfluff = lineLinter({
  name: 'sqlfluff',
  label: 'SQLFluff',
  command: named('sqlfluff'),
  signs: ['\n== [', 'All Finished'],
  hint: ' | ',
  heading: /^== \[(?<file>.{1,500})\] (?:FAIL|PASS)$/,
  rows: [/^L: {1,4}(?<at>\d{1,7} \| P: {1,4}\d{1,7}) \| {1,4}(?<text>(?:\w{2,4}\d{2}|PRS|TMP) \| .+)$/],
  more: /^ {10,40}\| (.+)$/,
  moreIs: 'message',
  clean: /^All Finished/,
})

export const djlint = lineLinter({
  name: 'djlint',
  label: 'djLint',
  command: named('djlint'),
  signs: ['\nLinted '],
  heading: /^(?<file>\S.{0,500}\.\w{1,10})$/,
  rows: [/^(?<rule>[A-Z]\d{3}) (?<at>\d{1,7}:\d{1,7}) (?<text>\S.*)$/],
  clean: /^Linted \d{1,9} files?, found 0 errors/,
})

export const bandit = lineLinter({
  name: 'bandit',
  label: 'Bandit',
  command: named('bandit'),
  signs: ['>> Issue: [', 'No issues identified.'],
  rows: [/^>> Issue: (?<text>\[B\d{3}:.+)$/],
  more: /^ {3}(?:Location: (.+)|(?:Severity|CWE|More Info): .*)$/,
  clean: /^\s{0,8}No issues identified\.$/,
})
