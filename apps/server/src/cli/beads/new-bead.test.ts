import { writeFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exitCode } from '../exit-code.ts'
import { newBeadOf } from './new-bead.ts'

async function* input(...pieces: (string | Uint8Array)[]): AsyncGenerator<string | Uint8Array> {
  for (const piece of pieces) {
    await Promise.resolve()
    yield piece
  }
}
const none = input()

test('omitted fields are left to the server', async () => {
  expect(await newBeadOf(' Sort ', {}, none)).toEqual({ title: 'Sort' })
})

test('every field can be given', async () => {
  const flags = { description: 'Why', priority: 'P1', type: 'bug', label: ['a', 'b'], dependsOn: ['bl-1'] }
  expect(await newBeadOf('Sort', flags, none)).toEqual({
    title: 'Sort',
    description: 'Why',
    priority: 1,
    type: 'bug',
    labels: ['a', 'b'],
    dependsOn: ['bl-1'],
  })
})

test('the description comes from standard input or a file', async () => {
  const [first, second] = [new Uint8Array([0x65, 0xcc]), new Uint8Array([0x81])]
  expect(await newBeadOf('Sort', { description: '-' }, input(first, second))).toMatchObject({ description: 'e\u0301' })
  const folder = mkdtempSync(join(tmpdir(), 'bl-new-'))
  writeFileSync(join(folder, 'why.md'), '# Why\n')
  expect(await newBeadOf('Sort', { file: join(folder, 'why.md') }, none)).toMatchObject({ description: '# Why\n' })
  await expect(newBeadOf('Sort', { file: join(folder, 'none') }, none)).rejects.toThrow(/none cannot be read/)
  rmSync(folder, { recursive: true })
})

test.each([
  [{ priority: '9' }, '--priority 9: must be 0 (critical) to 4 (backlog)'],
  [{ description: 'a', file: 'b' }, '--description and --file: use one, not both'],
  [{ type: 'wizard' }, '--type wizard: must be one of task, bug, feature, chore, epic'],
  [{ label: [''] }, '--label: must not be empty, contain a comma, or begin or end with a space'],
  [{ description: 'a\0' }, '--description: must not contain NUL characters'],
  [{ dependsOn: [''] }, '--depends-on: must not be empty'],
  [{ description: 'x'.repeat(50_001) }, '--description: must be at most 50,000 characters'],
  [{ description: '語'.repeat(30_000) }, /^--description: its line in the tracker would be longer than 64 KiB/],
])('%j is refused before it is sent', async (flags, message) => {
  await expect(newBeadOf('Sort', flags, none)).rejects.toMatchObject({
    message: typeof message === 'string' ? message : expect.stringMatching(message),
    exit: exitCode.usage,
  })
})

test.each([
  [' \n', 'the title: must not be empty'],
  ['two\nlines', 'the title: must be one line of text'],
  ['\u001b[31mred', 'the title: must be one line of text'],
])('the title %j is refused before it is sent', async (title, message) => {
  await expect(newBeadOf(title, {}, none)).rejects.toMatchObject({ message, exit: exitCode.usage })
})

test('an input without an end is not read to its end', async () => {
  async function* endless(): AsyncGenerator<string> {
    for (;;) {
      await Promise.resolve()
      yield 'y\n'.repeat(10_000)
    }
  }
  await expect(newBeadOf('Sort', { description: '-' }, endless())).rejects.toThrow('at most 50,000 characters')
})
