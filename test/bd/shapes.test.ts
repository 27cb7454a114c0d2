import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { parseIssues } from '@beadloom/server/src/beads/testing/parse-issues.ts'
import { fileText } from '@beadloom/server/src/beads/testing/file-text.ts'
import { createTracker } from '@beadloom/server/src/beads/find-tracker.ts'
import { answerOf, listOf } from '@beadloom/server/src/beads/bd/bd-json.ts'
import { runBd, type BdSettings } from '@beadloom/server/src/beads/bd/run-bd.ts'
import { fieldsOf, project, statusOf } from '@beadloom/server/src/beads/testing/tracker-folder.ts'
import { systemClock } from '@beadloom/server/src/process/clock.ts'
import { bdEnvironment, bdIn, hasBd, initBd, isSince, needsBd } from '../support/bd.ts'
import { git } from '../support/repository.ts'

/* The parts of bd's answers that the driver relies on, and their surprises, from the real bd. */
const test = needsBd()
let root: string
let folder: string
let bd: ReturnType<typeof bdIn>
let settings: BdSettings
beforeAll(() => {
  if (!hasBd()) return
  root = mkdtempSync(join(tmpdir(), 'tracker-shapes-'))
  const env = bdEnvironment(join(root, 'home'))
  folder = join(root, 'repository')
  mkdirSync(folder)
  git(folder, 'init', '--quiet')
  bd = bdIn(folder, env)
  initBd(bd, 't')
  settings = { program: 'bd', folder, clock: systemClock, env, trusted: false }
})
afterAll(() => {
  if (hasBd()) rmSync(root, { recursive: true, force: true })
})

/** Calls bd as the driver does. */
const ask = (...args: string[]) =>
  runBd(settings, { args: [...args, '--sandbox', '--json', '--actor', 'beadloom'], limitBytes: 2 ** 20 })
const answer = async (...args: string[]) => answerOf(args[0] ?? '', await ask(...args))
const one = async (...args: string[]) => listOf(await answer(...args))[0] ?? {}
const make = async (title: string, ...args: string[]) => String((await one('create', title, ...args))['id'])

describe('an answer of bd', () => {
  test('has an envelope; show, update and close put a list in it, create and dep an object', async () => {
    const id = await make('First')
    const other = await make('Second')
    expect(JSON.parse((await ask('show', id)).stdout)).toMatchObject({ schema_version: 1, data: [{ id }] })
    expect(await answer('update', id, '--priority', '1')).toMatchObject([{ id, priority: 1, issue_type: 'task' }])
    expect(await answer('close', id, '--reason=done')).toMatchObject([{ id, status: 'closed', close_reason: 'done' }])
    expect(await answer('dep', 'add', other, id, '--type=blocks')).toEqual({
      status: 'added',
      issue_id: other,
      depends_on_id: id,
      type: 'blocks',
    })
    expect(await answer('create', 'Third')).toMatchObject({ title: 'Third', status: 'open', created_by: 'beadloom' })
    expect(await answer('comments', id)).toEqual([])
  })

  test('has whole beads for dependencies in show, and edges in an export', async () => {
    const id = await make('Blocker')
    const waits = await make('Waits', '--deps', id)
    expect((await one('show', waits))['dependencies']).toMatchObject([
      { id, title: 'Blocker', dependency_type: 'blocks' },
    ])
    const exported = bd('export', '--all')
      .split('\n')
      .find((line) => line.includes(`"id":"${waits}"`))
    expect(JSON.parse(exported ?? '')).toMatchObject({
      _type: 'issue',
      dependency_count: 1,
      dependencies: [{ issue_id: waits, depends_on_id: id, type: 'blocks', metadata: '{}' }],
    })
  })

  test('has times in whole seconds once they are stored, and comment ids as text', async () => {
    const id = await make('Timed')
    bd('comment', id, 'a note')
    expect((await one('show', id))['created_at']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    expect(await answer('comments', id)).toMatchObject([{ id: expect.any(String), issue_id: id, text: 'a note' }])
  })
})

describe('a failure of bd', () => {
  test('ends with 1, and is a sentence beside an empty answer, or an error in it', async () => {
    const id = await make('Taken')
    bd('update', id, '--claim', '--actor', 'ana')
    expect(await ask('update', id, '--claim')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('already claimed by ana'),
    })
    const missing = await ask('show', 'nothing-1')
    expect(missing.code).toBe(1)
    expect(JSON.parse(missing.stdout)).toMatchObject({ data: { error: expect.stringContaining('no issues found') } })
  })

  test('to close a bead that waits concerns that bead alone: others in the same call are written', async () => {
    const blocked = await make('Blocked')
    await make('Blocker', '--deps', `blocks:${blocked}`)
    const free = await make('Free')
    const adapter = await createTracker({ clock: systemClock, env: settings.env, own: tmpdir(), trusted: [] }).find(
      folder,
    )
    const outcomes = await adapter.write([statusOf(blocked, 'done'), statusOf(free, 'done')])
    expect(outcomes).toMatchObject([
      { result: 'later', text: expect.stringMatching(/cannot close .*blocked/) },
      { result: 'written', word: 'closed' },
    ])
  })

  test('to claim a bead says which status the bead has, and is no lock either', async () => {
    const id = await make('Not open')
    bd('update', id, '--status', 'blocked')
    await expect(answer('update', id, '--claim')).rejects.toMatchObject({
      kind: 'broken',
      message: expect.stringContaining('not claimable: status blocked'),
    })
  })
})

describe('bd surprises:', () => {
  test('a part of an id is taken for the whole', async () => {
    const id = await make('Whole')
    expect(await one('show', id.slice(0, -1))).toMatchObject({ id })
  })

  test('closing again is no failure, and only before 1.1 takes the new reason', async () => {
    const id = await make('Closed twice')
    await answer('close', id, '--reason=first')
    const reason = isSince('1.1.0') ? 'first' : 'second'
    expect(await one('close', id, '--reason=second')).toMatchObject({ status: 'closed', close_reason: reason })
  })

  test("opening keeps the assignee, and repeating one's own claim is no failure", async () => {
    const id = await make('Opened again')
    await answer('update', id, '--claim')
    expect(await one('update', id, '--claim')).toMatchObject({ assignee: 'beadloom', status: 'in_progress' })
    expect(await one('update', id, '--status', 'open')).toMatchObject({ status: 'open', assignee: 'beadloom' })
    expect((await one('update', id, '--assignee', ''))['assignee'] ?? '').toBe('')
  })

  test('creating a bead with an existing id replaces it; 1.3 and later refuse', async () => {
    const id = await make('Before', '--description', 'kept?')
    const again = ask('create', '--title=After', `--id=${id}`, '--force')
    expect((await again).code).toBe(isSince('1.3.0') ? 1 : 0)
    const now = await one('show', id)
    expect([now['title'], now['description'] ?? '']).toEqual(isSince('1.3.0') ? ['Before', 'kept?'] : ['After', ''])
  })

  test('a claim has a lease since 1.3, which somebody has to renew; ours has no lease', async () => {
    const [hers, ours] = [await make('Claimed by ana'), await make('Claimed here')]
    bd('update', hers, '--claim', '--actor', 'ana')
    const adapter = await createTracker({ clock: systemClock, env: settings.env, own: tmpdir(), trusted: [] }).find(
      folder,
    )
    expect(await adapter.write([statusOf(ours, 'in_progress')])).toEqual([{ result: 'written', word: 'in_progress' }])
    const lease = async (id: string) => (await one('show', id))['lease_expires_at']
    expect([typeof (await lease(hers)), await lease(ours)]).toEqual([
      isSince('1.3.0') ? 'string' : 'undefined',
      undefined,
    ])
  })

  test('a label with a comma becomes two', async () => {
    const id = await make('Labelled')
    expect(await one('update', id, '--add-label', 'a,b')).toMatchObject({ labels: ['a', 'b'] })
  })

  test('ready lists a hundred unless it is asked for all, and includes templates that cannot be changed', async () => {
    const lines = Array.from({ length: 101 }, (_, at) => ({ id: `t-${at + 100}r`, title: `Ready ${at}`, priority: 2 }))
    const template = { id: 't-tmpl1', title: 'Template', priority: 2, is_template: true }
    const at = '2026-01-01T00:00:00Z'
    const text = [...lines, template].map((line) => `${JSON.stringify({ ...line, created_at: at, updated_at: at })}\n`)
    writeFileSync(join(root, 'many.jsonl'), text.join(''))
    bd('import', join(root, 'many.jsonl'))
    expect(await answer('ready')).toHaveLength(100)
    const all = listOf(await answer('ready', '--limit', '0')).map(({ id }) => id)
    expect(all.length).toBeGreaterThan(101)
    expect(all).toContain('t-tmpl1')
    await expect(answer('close', 't-tmpl1', '--reason=x')).rejects.toThrow(/templates are read-only/)
  })

  test('an export leaves out things that a bead may wait for; a full export has private notes, which are not read', async () => {
    const at = { created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z', priority: 2 }
    const edge = { issue_id: 't-wait1', depends_on_id: 't-msg1', type: 'blocks', created_at: at.created_at }
    const lines = [
      { id: 't-msg1', title: 'A message', issue_type: 'message', ...at },
      { id: 't-wait1', title: 'Waits for it', dependencies: [edge], ...at },
    ]
    writeFileSync(join(root, 'message.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    bd('import', join(root, 'message.jsonl'))
    bd('remember', 'the password is swordfish')
    expect(bd('export')).not.toContain('"id":"t-msg1"')
    const tracker = createTracker({ clock: systemClock, env: settings.env, own: tmpdir(), trusted: [] })
    const { beads, warnings } = parseIssues(project, (await fileText(await (await tracker.find(folder)).read())) ?? '')
    expect(beads.map(({ id }) => id)).toEqual(expect.arrayContaining(['t-msg1', 't-wait1']))
    expect(JSON.stringify([beads, warnings])).not.toContain('swordfish')
  })
})

test('a field that bd refuses does not hold up the others of its bead: each is sent by itself, and the refused one is named', async () => {
  const id = await make('Before')
  const adapter = await createTracker({ clock: systemClock, env: settings.env, own: tmpdir(), trusted: [] }).find(
    folder,
  )
  const type = { field: 'type', was: ['task'], value: 'unheard-of' } as const
  const title = { field: 'title', was: ['Before'], value: 'After' } as const
  const labels = { field: 'labels', was: [[]], value: ['new'] } as const
  expect(await adapter.write([fieldsOf(id, [title, type, labels])])).toEqual([
    {
      result: 'written',
      overruled: [{ field: 'type', text: expect.stringMatching(/^bd update: .*invalid issue type/) }],
    },
  ])
  expect(await one('show', id)).toMatchObject({ title: 'After', issue_type: 'task', labels: ['new'] })
  // Alone it waits: bd wrote nothing at all, so the trouble may be bd's own and pass.
  expect(await adapter.write([fieldsOf(id, [type])])).toMatchObject([{ result: 'later' }])
})
