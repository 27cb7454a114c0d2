import { appendFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { AgentVoice } from '../ends/agent-end.ts'
import { AgentOutput } from './agent-output.ts'
import { OwnRecords } from './own-record.ts'
import { systemClock } from '../process/clock.ts'
import { MemoryRecord } from '../testing/memory-record.ts'
import { tempFolder } from '../testing/temp-folder.ts'

const samples = join(import.meta.dirname, '../../../../test/samples/agent-output')
const THREAD = '01a21e6b-af98-7f82-909b-6954d10b3ad3'

async function homeWithRecord(text: string | Buffer) {
  const home = await tempFolder()
  const folder = join(home, '.codex/sessions/2026/11/27')
  await mkdir(folder, { recursive: true })
  const path = join(folder, `rollout-2026-11-27T19-11-43-${THREAD}.jsonl`)
  await writeFile(path, text)
  return { home, path }
}

/** The calls in the recorded output of Codex, with this home folder. */
async function calls(home: string | undefined) {
  const record = new MemoryRecord()
  const deps = { writer: record.writer, clock: systemClock, env: home === undefined ? {} : { HOME: home } }
  const output = new AgentOutput(deps, new AgentVoice(deps, 30_000), () => {})
  await output.take('stdout', await readFile(join(samples, 'codex-moved.jsonl'), 'utf8'))
  await output.end()
  await record.writer.finish()
  return record.of('tool_call').map(({ arguments: given }) => given)
}

test('each patch of Codex is shown with the text that Codex recorded for it', async () => {
  const { home } = await homeWithRecord(await readFile(join(samples, 'codex-moved-record.jsonl')))
  const [first, second, ...more] = await calls(home)
  expect(more).toEqual([])
  expect(first).toContain('+TWO')
  expect(second).toContain('renamed.txt')
  expect(second).toContain('+2')
})

test('without a record, a patch is shown as it was printed', async () => {
  const plain = await calls(undefined)
  expect(plain).toHaveLength(2)
  expect(plain[0]).toBe(
    '[{"path":"/workspace/repo/more.txt","kind":"add"},{"path":"/workspace/repo/notes.txt","kind":"update"}]',
  )
  expect(await calls(await tempFolder())).toEqual(plain)
  const { home } = await homeWithRecord(Buffer.alloc(100_000, '{"payload":{"item":'))
  expect(await calls(home)).toEqual(plain)
})

test('a pipe or a link in the place of a record is not read', async () => {
  const plain = await calls(undefined)
  const { home, path } = await homeWithRecord('')
  execFileSync('rm', [path])
  execFileSync('mkfifo', [path])
  expect(await calls(home)).toEqual(plain)
  execFileSync('rm', [path])
  await symlink(join(samples, 'codex-moved-record.jsonl'), path)
  expect(await calls(home)).toEqual(plain)
})

test('a record is read on from the line that was used last', async () => {
  const { home, path } = await homeWithRecord('{"a":1}\n{"a":2}\n{"a":')
  const records = new OwnRecords(home)
  const read = async (wanted: number | null) =>
    records.argumentsOf({
      folder: '.codex/sessions',
      ending: `${THREAD}.jsonl`,
      argumentsIn: ({ a }) => (wanted === null || a === wanted ? String(a) : null),
    })
  expect(await read(2)).toBe('2')
  expect(await read(1)).toBeNull() // it is further back
  expect(await read(null)).toBeNull() // the line has no end yet
  await appendFile(path, '3}\n')
  expect(await read(null)).toBe('3')
})
