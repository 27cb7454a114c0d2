import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { createTracker } from '@beadloom/server/src/beads/find-tracker.ts'
import { parseIssues } from '@beadloom/server/src/beads/testing/parse-issues.ts'
import { fileText } from '@beadloom/server/src/beads/testing/file-text.ts'
import {
  commentOn,
  fieldsOf,
  creationOf,
  newText,
  project,
  statusOf,
} from '@beadloom/server/src/beads/testing/tracker-folder.ts'
import type { BeadsAdapter, TrackerChange } from '@beadloom/server/src/ports/tracker.ts'
import { systemClock } from '@beadloom/server/src/process/clock.ts'
import { BD_VERSION, bdEnvironment, bdIn, hasBd, initBd, needsBd } from '../support/bd.ts'
import { git } from '../support/repository.ts'

/* The driver against the real bd. Each case has its own database or its own bead. */
const test = needsBd()
let root: string
let env: Record<string, string>
let folder: string
let bd: ReturnType<typeof bdIn>
let adapter: BeadsAdapter
const tracker = (on = env) => createTracker({ clock: systemClock, env: on, own: tmpdir(), trusted: [] })

beforeAll(async () => {
  if (!hasBd()) return
  root = mkdtempSync(join(tmpdir(), 'tracker-bd-'))
  env = bdEnvironment(join(root, 'home'))
  folder = database('shared')
  bd = bdIn(folder, env)
  adapter = await tracker().find(folder)
})
afterAll(() => {
  if (hasBd()) rmSync(root, { recursive: true, force: true })
})

function database(name: string): string {
  const path = join(root, name)
  mkdirSync(path)
  git(path, 'init', '--quiet')
  initBd(bdIn(path, env), 't')
  return path
}

const one = (value: unknown) => (Array.isArray(value) ? value[0] : value) as Record<string, unknown>
const make = (...args: string[]) => one(JSON.parse(bd('create', ...args, '--json')))['id'] as string
const shown = (id: string) => one(JSON.parse(bd('show', id, '--json')))
const write = async (change: TrackerChange) => (await adapter.write([change]))[0]
const beads = async (from = adapter) => parseIssues(project, (await fileText(await from.read())) ?? '').beads

test('is found by its database and its version, and says so', () => {
  expect(adapter.info).toEqual({
    kind: 'bd',
    version: BD_VERSION,
    writable: true,
    text: `bd ${BD_VERSION}, through its command line`,
  })
})

test('beads that people file and close with bd are read, with relations and comments', async () => {
  const first = make('First', '-p', '1', '-l', 'ui', '-d', 'Why\nand how')
  const second = make('Second', '--deps', first)
  bd('comment', first, 'a note')
  expect(await beads()).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ id: first, priority: 1, labels: ['ui'], description: 'Why\nand how', status: 'open' }),
      expect.objectContaining({
        id: second,
        dependencies: [expect.objectContaining({ dependsOn: first, type: 'blocks' })],
      }),
    ]),
  )
  bd('close', first)
  expect((await beads()).find(({ id }) => id === first)?.status).toBe('done')
})

test('the stamp changes with a status and with a comment, and not with reading', async () => {
  const id = make('Stamped')
  const before = await adapter.stamp()
  await adapter.read()
  bd('list', '--json')
  expect(await adapter.stamp()).toBe(before)
  bd('comment', id, 'a note')
  const commented = await adapter.stamp()
  expect(commented).not.toBe(before)
  bd('update', id, '--status', 'blocked')
  expect(await adapter.stamp()).not.toBe(commented)
})

describe('a status', () => {
  test('goes through a whole life: claimed, timed out, reopened, closed', async () => {
    const id = make('Lives')
    expect(await write(statusOf(id, 'in_progress'))).toEqual({ result: 'written', word: 'in_progress' })
    expect(shown(id)).toMatchObject({ status: 'in_progress', assignee: 'beadloom' })
    expect(await write(statusOf(id, 'timeout', 'in_progress'))).toEqual({ result: 'written', word: 'blocked' })
    expect(shown(id)).toMatchObject({ status: 'blocked', labels: ['timeout'] })
    expect((await beads()).find((bead) => bead.id === id)?.status).toBe('timeout')
    expect(await write(statusOf(id, 'open', 'blocked'))).toEqual({ result: 'written', word: 'open' })
    expect(shown(id)).toMatchObject({ status: 'open' })
    expect(shown(id)['labels'] ?? []).toEqual([])
    expect(shown(id)['assignee'] ?? '').toBe('')
    expect(await write(statusOf(id, 'done'))).toEqual({ result: 'written', word: 'closed' })
    expect(shown(id)).toMatchObject({ status: 'closed', close_reason: 'done in Beadloom' })
    expect(await write(statusOf(id, 'done', 'open'))).toEqual({ result: 'written', word: 'closed' })
  })

  test('of a person wins: a bead that somebody has claimed stays theirs, whatever was seen before', async () => {
    const id = make('Claimed')
    bd('update', id, '--claim', '--actor', 'ada')
    expect(await write(statusOf(id, 'blocked'))).toMatchObject({ result: 'overruled' })
    expect(shown(id)).toMatchObject({ status: 'in_progress', assignee: 'ada' })
  })

  test('of a bead that is only assigned to somebody is in progress, and stays assigned', async () => {
    const id = make('Assigned', '--assignee', 'ada')
    expect(await write(statusOf(id, 'in_progress'))).toEqual({ result: 'written', word: 'in_progress' })
    expect(shown(id)).toMatchObject({ status: 'in_progress', assignee: 'ada' })
  })

  test("that bd refuses waits with bd's sentence, and is never forced", async () => {
    const id = make('Waits')
    make('Blocker', '--deps', `blocks:${id}`)
    expect(await write(statusOf(id, 'done'))).toMatchObject({
      result: 'later',
      text: expect.stringMatching(/cannot close .*blocked/),
    })
    expect(shown(id)['status']).toBe('open')
  })
})

test('an id that is part of another one is not mistaken for it', async () => {
  const id = make('Whole')
  const part = id.slice(0, -1)
  expect(await write(statusOf(part, 'blocked'))).toMatchObject({ result: 'later' })
  expect(shown(id)['status']).toBe('open')
})

test('a comment is added once, whatever is in it', async () => {
  const id = make('Commented')
  const text = `COMPLETED: execution ex-aaaaaaaaaa\n--flag $(touch ${root}/ran) \`x\` "y" 🧵`
  expect(await write(commentOn(id, text))).toEqual({ result: 'written' })
  expect(await write(commentOn(id, text))).toEqual({ result: 'written' })
  expect(JSON.parse(bd('comments', id, '--json'))).toEqual([expect.objectContaining({ author: 'beadloom', text })])
})

describe('a bead that was made here', () => {
  test('is filed with its text, labels and dependency, also under another prefix', async () => {
    const id = make('Source')
    const change = creationOf('other-a1b2c3f4', {
      title: '--title of "it"',
      labels: ['beadloom', 'needs-human'],
      dependencies: [{ dependsOn: id, type: 'discovered-from' }],
    })
    expect(await write(change)).toEqual({ result: 'written' })
    expect((await beads()).find((bead) => bead.id === 'other-a1b2c3f4')).toMatchObject({
      title: '--title of "it"',
      description: 'Why.',
      priority: 1,
      type: 'bug',
      labels: ['beadloom', 'needs-human'],
      dependencies: [{ dependsOn: id, type: 'discovered-from' }],
    })
  })

  test.each(['', ' \n'])('is filed without a description: %j', async (description) => {
    const id = `t-bare${description.length}`
    expect(await write(creationOf(id, { title: 'Bare', description, dependencies: [] }))).toEqual({ result: 'written' })
    expect([shown(id)['title'], shown(id)['description'] ?? '']).toEqual(['Bare', ''])
  })

  test('is never filed over an existing one: bd create would replace it', async () => {
    const id = make('Precious', '-d', 'kept')
    expect(await write(creationOf(id, { title: 'Other', dependencies: [] }))).toEqual({ result: 'written' })
    expect(shown(id)).toMatchObject({ title: 'Precious', description: 'kept' })
  })

  test('gets its new text, unless a person has rewritten it', async () => {
    const id = make('Told', '-d', 'One.')
    expect(await write(newText(id, 'One.\n-Two.', 'One.', ['beadloom']))).toEqual({ result: 'written' })
    expect(shown(id)).toMatchObject({ description: 'One.\n-Two.', labels: ['beadloom'] })
    expect(await write(newText(id, 'Three.', 'One.'))).toMatchObject({ result: 'overruled' })
  })
})

describe('an edit that a person makes here', () => {
  const label = (was: string[], value: string[]) => ({ field: 'labels', was: [was], value }) as const
  const edges = (...ids: string[]) => ids.map((dependsOn) => ({ dependsOn, type: 'blocks' }))

  test('is written field by field and once, also text that looks like a flag', async () => {
    const [id, other] = [make('Before', '-l', 'old', '-d', 'Was'), make('Another')]
    const change = fieldsOf(id, [
      { field: 'title', was: ['Before'], value: '--title=x "y" $(z)' },
      { field: 'description', was: ['Was'], value: '- a\n- `b`\n' },
      { field: 'acceptance', was: [''], value: '--help\nIt works.' },
      { field: 'type', was: ['task'], value: 'bug' },
      { field: 'priority', was: [2], value: 0 },
      label(['old'], ['--force', 'new']),
      { field: 'dependencies', was: [[]], value: edges(other) },
    ])
    expect(await write(change)).toEqual({ result: 'written', overruled: [] })
    const now = shown(id)
    expect(now).toMatchObject({
      title: '--title=x "y" $(z)',
      acceptance_criteria: '--help\nIt works.',
      issue_type: 'bug',
      labels: ['--force', 'new'],
      dependencies: [expect.objectContaining({ id: other, dependency_type: 'blocks' })],
    })
    expect(String(now['description']).trim()).toBe('- a\n- `b`')
    expect(now['priority'] ?? 0).toBe(0)
    expect(await write(change)).toEqual({ result: 'written', overruled: [] })
    expect(shown(id)['updated_at']).toBe(now['updated_at'])
  })

  test('yields to changes that somebody made with bd, and the rest is written', async () => {
    const id = make('Before', '-l', 'kept')
    bd('update', id, '--title', 'Theirs', '--add-label', 'theirs')
    const title = { field: 'title', was: ['Before'], value: 'Mine' } as const
    const outcome = await write(fieldsOf(id, [title, label(['kept'], ['kept', 'mine'])]))
    expect(outcome).toMatchObject({ result: 'written', overruled: [{ field: 'title' }] })
    expect(shown(id)).toMatchObject({ title: 'Theirs', labels: ['kept', 'mine', 'theirs'] })
  })

  test('can empty a text and a list', async () => {
    const other = make('Another')
    const id = make('Full', '-d', 'Text', '-l', 'a', '--acceptance', 'Yes', '--deps', other)
    const outcome = await write(
      fieldsOf(id, [
        { field: 'description', was: ['Text'], value: '' },
        { field: 'acceptance', was: ['Yes'], value: '' },
        label(['a'], []),
        { field: 'dependencies', was: [edges(other)], value: [] },
      ]),
    )
    expect(outcome).toEqual({ result: 'written', overruled: [] })
    const now = shown(id)
    for (const key of ['description', 'acceptance_criteria', 'labels', 'dependencies'])
      expect(now[key] ?? '', key).toHaveLength(0)
  })

  test('does not wait for ever when bd refuses a circle', async () => {
    const first = make('First')
    const value = edges(make('Second', '--deps', first))
    const outcome = await write(fieldsOf(first, [{ field: 'dependencies', was: [[]], value }]))
    expect(outcome).toMatchObject({ result: 'written', overruled: [{ field: 'dependencies' }] })
  })
})

test('people and Beadloom change one bead at once, and no note is lost', async () => {
  const id = make('Busy')
  const people = Array.from({ length: 4 }, (_, at) =>
    once(spawn('bd', ['comment', id, `note ${at}`], { cwd: folder, env, stdio: 'ignore' }), 'close'),
  )
  const ours = await adapter.write([statusOf(id, 'in_progress'), commentOn(id)])
  await Promise.all(people)
  expect(ours).toEqual([{ result: 'written', word: 'in_progress' }, { result: 'written' }])
  const texts = (JSON.parse(bd('comments', id, '--json')) as { text: string }[]).map(({ text }) => text)
  expect(texts.toSorted()).toEqual(['COMPLETED: execution ex-aaaaaaaaaa', 'note 0', 'note 1', 'note 2', 'note 3'])
})

test("a broken database is reported in bd's words, for reading and for writing", async () => {
  const path = database('broken')
  const broken = await tracker().find(path)
  writeFileSync(join(path, '.beads/embeddeddolt/t/.dolt/noms/manifest'), 'garbage')
  await expect(broken.read()).rejects.toThrow(/bd export: failed to open database/)
  expect(await broken.write([statusOf('t-1', 'done')])).toEqual([
    { result: 'later', text: expect.stringContaining('failed to open database') },
  ])
})

test('without bd on the PATH, or with an unknown version, its last export is read and nothing is written', async () => {
  const path = database('elsewhere')
  const file = join(path, '.beads/issues.jsonl')
  appendFileSync(file, '{"id":"t-1","title":"Old","status":"open","priority":2}\n')
  const text = readFileSync(file, 'utf8')
  const programs = join(root, 'programs')
  mkdirSync(programs)
  for (const [version, says] of [
    [null, "not on the server's PATH"],
    ['0.62.0', 'older than 1.0'],
    ['7.1.0', 'not a version that Beadloom supports'],
    ['banana', 'not a version that Beadloom supports'],
  ] as const) {
    if (version !== null)
      writeFileSync(join(programs, 'bd'), `#!/bin/sh\necho '{"version":"${version}"}'\n`, { mode: 0o755 })
    const found = await tracker({ PATH: `${programs}:/usr/bin:/bin` }).find(path)
    expect(found.info).toMatchObject({ kind: 'read-only', writable: false, text: expect.stringContaining(says) })
    expect((await beads(found)).map(({ id }) => id)).toEqual(['t-1'])
    expect(await found.write([statusOf('t-1', 'done')])).toMatchObject([{ result: 'later' }])
    expect(readFileSync(file, 'utf8')).toBe(text)
  }
})
