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
  expect(await writeProposal({ id: 'p', source }, proposed)).toBe(join(source, 'beadloom.json'))
  expect(JSON.parse(written())).toEqual(config)
})

test('a file that is there, and what a link leads to, stays as it is', async () => {
  writeFileSync(join(source, 'beadloom.json'), '{}')
  await expect(writeProposal({ id: 'p', source }, proposed)).rejects.toThrow('is there already')
  expect(written()).toBe('{}')
  rmSync(join(source, 'beadloom.json'))
  writeFileSync(join(source, 'other'), 'other')
  symlinkSync('other', join(source, 'beadloom.json'))
  await expect(writeProposal({ id: 'p', source }, proposed)).rejects.toThrow('is there already')
  expect(readFileSync(join(source, 'other'), 'utf8')).toBe('other')
})

test.each([
  ['one that is committed', { configured: true }, 'has a beadloom.json already'],
  ['nothing to say', { proposal: { config: {}, from: [], open: [] } }, 'nothing to propose'],
])('with %s nothing is written', async (_, more, says) => {
  await expect(writeProposal({ id: 'p', source }, { ...proposed, ...more })).rejects.toThrow(says)
  expect(readdirSync(source)).toEqual(['.git'])
})

test('of a project elsewhere it says how to get it', async () => {
  rmSync(join(source, '.git'), { recursive: true })
  for (const one of [source, 'https://example.org/p.git'])
    await expect(writeProposal({ id: 'p', source: one }, proposed)).rejects.toThrow(
      'beadloom environment p --json | jq .proposal.config > beadloom.json',
    )
  expect(readdirSync(source)).toEqual([])
})
