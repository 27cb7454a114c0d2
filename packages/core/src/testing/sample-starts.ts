import { weakerStarts } from '../tamper/started/weaker-start.ts'

/** Scripts that checks start, and how a change of them is judged. */

export type Files = Record<string, string>
export const both = (before: Files, after: Files) => ({
  before: Object.entries(before),
  after: [
    ...Object.keys(before).map((path): [string, string | null] => [path, after[path] ?? null]),
    ...Object.entries(after),
  ],
})
export const weaker = (command: string, before: Files, after: Files, how: Parameters<typeof weakerStarts>[2] = {}) =>
  weakerStarts([command], both(before, after), how)

export const lines = (...some: string[]) => `${some.join('\n')}\n`
export const run = lines('#!/bin/sh', 'set -e', '[ "$(sh prog.sh x)" = 43 ]', '[ "$(sh prog.sh y)" = 44 ]')
export const make = (...recipe: string[]) =>
  lines('all: prog', '\tcc -o prog prog.c', '', 'test:', ...recipe.map((one) => `\t${one}`))
export const check = lines('from f import f', 'assert f(1) == 2', 'assert f(2) == 4', 'print("fine")')
export const diffs = lines(
  'set -e',
  'sh prog.sh a > out',
  'diff out expected',
  'sh prog.sh b > out2',
  'diff out2 expected2',
)
export const node = lines(
  "const { f } = require('./f.js')",
  'if (f(1) !== 2) {',
  '  process.exit(1)',
  '}',
  'if (f(2) !== 4) throw new Error("f(2)")',
)
export const counts = lines(
  'fail=0',
  'check() {',
  '  if [ "$(sh prog.sh "$1")" != "$2" ]; then',
  '    echo "FAIL $1"',
  '    fail=1',
  '  fi',
  '}',
  'check x 43',
  'check y 44',
  'exit $fail',
)
export const ruby = lines("require_relative 'f'", 'raise "one" unless f(1) == 2', 'abort "two" if f(2) != 4')
