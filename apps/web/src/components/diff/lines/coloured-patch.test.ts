import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { codePieces } from './code-pieces.ts'
import { codeOf, coloursOf, MOST_COLOURED_LINES } from './coloured-patch.ts'
import { patchLines } from './patch-lines.ts'
import { scopes } from '../syntax/runs.ts'
import { contrast } from '../../log/lines/colours.ts'

const patch = `@@ -1,3 +1,3 @@
 /* a
-b
+c
 */
@@ -9,1 +9,2 @@
 d
+e
\\ No newline at end of file
`

test('the two versions of a hunk are read separately, and each hunk anew', () => {
  const lines = patchLines(patch)
  const code = codeOf(lines)
  expect(code?.texts).toEqual(['/* a\nb\n*/', '/* a\nc\n*/', 'd\ne'])
  if (!code) return
  const said = code.texts.map((text, at) => text.split('\n').map((line) => [line.length, at]))
  const found = coloursOf(code, said)
  expect(lines.filter((line) => found.has(line)).map((line) => `${line.text} ${found.get(line)?.[1]}`)).toEqual([
    '/* a 1',
    'b 0',
    'c 1',
    '*/ 1',
    'd 2',
    'e 2',
  ])
  expect(coloursOf(code, [null, null, null]).size).toBe(0)
})

test('a patch that is too long has no colours, and a line that is too long is left out of the code', () => {
  const many = (count: number, text = 'a') => patchLines(`@@ -0,0 +1,${count} @@\n${`+${text}\n`.repeat(count)}`)
  expect(codeOf(many(MOST_COLOURED_LINES - 1))).not.toBeNull()
  expect(codeOf(many(MOST_COLOURED_LINES))).toBeNull()
  expect(codeOf(many(600, 'x'.repeat(1000)))).toBeNull()
  expect(codeOf(many(2, 'x'.repeat(3000)))?.texts).toEqual(['\n'])
})

test('a line is cut where its colour or its change begins and ends, and loses nothing', () => {
  const words = [
    { text: 'const a', marked: false },
    { text: 'bc', marked: true },
    { text: ' = 1', marked: false },
  ]
  expect(codePieces(words, [5, 0, 2, -1, 1, 4])).toEqual([
    { text: 'const', marked: false, scope: 'keyword' },
    { text: ' a', marked: false, scope: null },
    { text: 'b', marked: true, scope: 'title' },
    { text: 'c', marked: true, scope: null },
    { text: ' = 1', marked: false, scope: null },
  ])
  expect(codePieces(words, null).map(({ text }) => text)).toEqual(['const a', 'bc', ' = 1'])
})

test('every colour can be read on every background that code has in a diff, in both themes', () => {
  const pairs = (file: string): [string, [string, string]][] =>
    [
      ...readFileSync(join(import.meta.dirname, file), 'utf8').matchAll(
        /(?:\.(\w+) \{\s*color|(--[\w-]+)): light-dark\((#\w{6}), (#\w{6})\)/g,
      ),
    ].map(([, name, token, light = '', dark = '']) => [name ?? token ?? '', [light, dark]])
  const tokens = new Map(pairs('../../../ui/tokens.css'))
  const colours = pairs('../syntax.module.css')
  expect(colours.map(([name]) => name)).toEqual([...scopes])
  const rgb = (hex: string) => Number.parseInt(hex.slice(1), 16)
  const under = ['--log', '--diff-add', '--diff-delete', '--diff-add-word', '--diff-delete-word']
  for (const [name, pair] of colours)
    for (const background of under)
      for (const theme of [0, 1] as const) {
        const on = tokens.get(background)?.[theme] ?? ''
        expect(contrast(rgb(pair[theme]), rgb(on)), `${name} on ${background}, ${theme}`).toBeGreaterThanOrEqual(4.5)
      }
})
