import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeProposal } from './write-proposal.ts'

let source: string
beforeEach(() => {
  source = mkdtempSync(join(tmpdir(), 'bl-proposal-'))
  mkdirSync(join(source, '.git'))
})
afterEach(() => rmSync(source, { recursive: true, force: true }))

const config = { setup: 'npm ci', verify: [{ type: 'test' as const, command: 'npm test' }] }
const proposed = { configured: false, proposal: { config, from: [], open: [] } }
const written = () => readFileSync(join(source, 'beadloom.json'), 'utf8')

test('the proposal is written into the working tree, to be committed', async () => {
  expect(await writeProposal({ id: 'p', source }, proposed)).toEqual({
    path: join(source, 'beadloom.json'),
    added: ['setup', 'verify'],
  })
  expect(JSON.parse(written())).toEqual(config)
})

test("an existing file keeps a person's settings, and gets the missing ones", async () => {
  const own = '{\n    "model": "m",\n    "setup": null\n}\n'
  writeFileSync(join(source, 'beadloom.json'), own)
  expect((await writeProposal({ id: 'p', source }, { ...proposed, configured: true })).added).toEqual(['verify'])
  expect(written().startsWith('{\n    "model": "m",\n    "setup": null,\n    "verify": [')).toBe(true)
  expect(JSON.parse(written())).toEqual({ model: 'm', setup: null, verify: config.verify })
  const once = written()
  await expect(writeProposal({ id: 'p', source }, proposed)).rejects.toThrow(
    'already says everything that would be proposed',
  )
  expect(written()).toBe(once)
  expect(readdirSync(source).sort()).toEqual(['.git', 'beadloom.json'])
})

test('a wrong file, a link, or something that is not a settings file stays as it is', async () => {
  for (const [text, says] of [
    ['[]', 'not a JSON object'],
    ['{ // ours\n}', 'not JSON (line 1: a comment'],
    ['{"modle":"m"}', 'modle'],
  ] as const) {
    writeFileSync(join(source, 'beadloom.json'), text)
    await expect(writeProposal({ id: 'p', source }, proposed)).rejects.toThrow(says)
    expect(written()).toBe(text)
  }
  rmSync(join(source, 'beadloom.json'))
  writeFileSync(join(source, 'other'), '{}')
  symlinkSync('other', join(source, 'beadloom.json'))
  await expect(writeProposal({ id: 'p', source }, proposed)).rejects.toThrow('not a file that Beadloom can change')
  expect(readFileSync(join(source, 'other'), 'utf8')).toBe('{}')
})

test.each([
  ['one that is committed and not here', { configured: true }, 'check it out'],
  ['nothing to say', { proposal: { config: {}, from: [], open: [] } }, 'it runs as it is'],
  [
    'nothing but what a person has to say',
    { proposal: { config: {}, from: [], open: ['Name a command as "test".'] } },
    'the rest is up to you. Name a command as "test".',
  ],
])('with %s nothing is written', async (_, more, says) => {
  await expect(writeProposal({ id: 'p', source }, { ...proposed, ...more })).rejects.toThrow(says)
  expect(readdirSync(source)).toEqual(['.git'])
})

test('for a project elsewhere it says how to get it', async () => {
  rmSync(join(source, '.git'), { recursive: true })
  for (const one of [source, 'https://example.org/p.git'])
    await expect(writeProposal({ id: 'p', source: one }, proposed)).rejects.toThrow(
      'beadloom environment p --json | jq .proposal.config > beadloom.json',
    )
  // A redirect would replace the file that is there.
  const beside = writeProposal({ id: 'p', source }, { ...proposed, configured: true })
  await expect(beside).rejects.toThrow(/^(?!.*>).*Add to the beadloom\.json in one of yours what this prints: /)
  expect(readdirSync(source)).toEqual([])
})
