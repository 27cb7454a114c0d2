import { expect, test } from 'vitest'
import { innerCommand, lookOf } from './shell-words.ts'

test.each([
  [`/bin/bash -lc 'npm test'`, 'npm test'],
  [`bash -lc "npm test -- \\"a b\\""`, 'npm test -- "a b"'],
  [`/bin/bash -lc 'edited=$(OLD='"'no such passage' awk"`, `edited=$(OLD='no such passage' awk`],
  [`/bin/bash -lc pwd`, 'pwd'],
  ['npm test', 'npm test'],
  [`bash -lc 'not closed`, `bash -lc 'not closed`],
])('%s asks for %s', (command, inner) => {
  expect(innerCommand(command)).toBe(inner)
})

test.each([
  [`cat 'notes.txt'`, 'read notes.txt'],
  ['cat -n src/a.ts', 'read src/a.ts'],
  ['head -n 40 src/a.ts', 'read src/a.ts'],
  [`sed -n '1,200p' "src/a b.ts"`, 'read src/a b.ts'],
  ['nl -ba README.md', 'read README.md'],
  [`rg -n "send\\(" src`, 'search send\\('],
  [`grep -rn -A 3 'TODO' src test`, 'search TODO'],
])('%s only looks: %s', (command, said) => {
  const look = lookOf(command)
  expect(`${look?.is} ${look?.what}`).toBe(said)
})

test.each([
  'cat a b',
  'cat a > b',
  'cat a | sh',
  'cat $(make)',
  'cat "$HOME"',
  'sed -i s/a/b/ x',
  `sed -n '/x/w out' x`,
  'rm a',
  'cat a; rm b',
  "cat 'open",
  'rg',
  '',
  `cat ${'a'.repeat(400)}`,
])('%s is a command like any other', (command) => {
  expect(lookOf(command)).toBe(null)
})
