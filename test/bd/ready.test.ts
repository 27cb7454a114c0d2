import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect } from 'vitest'
import { readySet } from '@beadloom/core/bead/ready.ts'
import { jsonProblem } from '@beadloom/core/text/json-problem.ts'
import { parseIssues } from '@beadloom/server/src/beads/testing/parse-issues.ts'
import { fileText } from '@beadloom/server/src/beads/testing/file-text.ts'
import { createTracker } from '@beadloom/server/src/beads/find-tracker.ts'
import { project } from '@beadloom/server/src/beads/testing/tracker-folder.ts'
import { systemClock } from '@beadloom/server/src/process/clock.ts'
import { asListed, bdEnvironment, bdIn, hasBd, initBd, needsBd } from '../support/bd.ts'
import { git } from '../support/repository.ts'

/* The real bd and Beadloom must find the same beads of a database ready. */
const test = needsBd()
let root: string
let env: Record<string, string>
beforeAll(() => {
  if (!hasBd()) return
  root = mkdtempSync(join(tmpdir(), 'tracker-ready-'))
  env = bdEnvironment(join(root, 'home'))
})
afterAll(() => {
  if (hasBd()) rmSync(root, { recursive: true, force: true })
})

/** Makes an empty database. */
function database(name: string): { folder: string; bd: ReturnType<typeof bdIn> } {
  const folder = join(root, name)
  mkdirSync(folder)
  git(folder, 'init', '--quiet')
  const bd = bdIn(folder, env)
  initBd(bd, 't')
  return { folder, bd }
}

async function readyIn(folder: string): Promise<string[]> {
  const tracker = createTracker({ clock: systemClock, env, own: tmpdir(), trusted: [] })
  const text = await fileText(await (await tracker.find(folder)).read())
  return asListed(readySet(parseIssues(project, text ?? '').beads, NOW))
}

const BEADS = 30
/** Databases; each has some hundred relations. */
const GRAPHS = 8
const NOW = Date.now()
const at = (seconds: number) => new Date(Math.floor(NOW / 1000) * 1000 + seconds * 1000).toISOString()

const edge = fc.record({
  to: fc.nat(BEADS - 1),
  type: fc.constantFrom(
    'blocks',
    'blocks',
    'parent-child',
    'parent-child',
    'waits-for',
    'conditional-blocks',
    'related',
    'discovered-from',
    'tracks',
  ),
  any: fc.boolean(),
})
const node = fc.record({
  status: fc.constantFrom('open', 'open', 'open', 'in_progress', 'blocked', 'deferred', 'closed', 'pinned', 'hooked'),
  type: fc.constantFrom('task', 'task', 'task', 'bug', 'epic', 'gate', 'molecule', 'message', 'chore'),
  priority: fc.nat(4),
  created: fc.nat(5),
  defer: fc.constantFrom(null, null, null, -3600, 3600 * 24),
  flag: fc.constantFrom(null, null, null, null, null, 'pinned', 'ephemeral', 'is_template', 'no_history'),
  edges: fc.array(edge, { maxLength: 3 }),
})
const graph = fc.array(node, { minLength: BEADS, maxLength: BEADS })
type Node = typeof node extends fc.Arbitrary<infer T> ? T : never

const idOf = (index: number) => `t-${index.toString(36).padStart(2, '0')}a1`

function lineOf(one: Node, index: number): string {
  const id = idOf(index)
  const seen = new Set([index])
  const dependencies = one.edges.flatMap(({ to, type, any }) => {
    if (seen.has(to)) return [] // two beads share one edge at most, and no bead has one to itself
    seen.add(to)
    const metadata = type === 'waits-for' && any ? '{"gate":"any-children"}' : '{}'
    return [{ issue_id: id, depends_on_id: idOf(to), type, metadata, created_at: at(-9), created_by: 'x' }]
  })
  return JSON.stringify({
    id,
    title: `Bead ${index}`,
    status: one.status,
    priority: one.priority,
    issue_type: one.type,
    created_at: at(-100 + one.created),
    updated_at: at(-9),
    ...(one.status === 'closed' ? { closed_at: at(-9) } : {}),
    ...(one.defer === null ? {} : { defer_until: at(one.defer) }),
    ...(one.flag === null ? {} : { [one.flag]: true }),
    dependencies,
  })
}

test('is the same, in the same order, for any graph of beads and relations', async () => {
  let round = 0
  let ready = 0
  await fc.assert(
    fc.asyncProperty(graph, async (nodes) => {
      const { folder, bd } = database(`graph-${round++}`)
      writeFileSync(join(folder, 'graph.jsonl'), nodes.map((one, index) => `${lineOf(one, index)}\n`).join(''))
      bd('import', join(folder, 'graph.jsonl'))
      const listed = JSON.parse(bd('ready', '--limit', '0', '--json')) as { id: string; is_template?: boolean }[]
      // bd lists templates too, but only a copy of a template is work.
      const theirs = listed.filter((one) => one.is_template !== true).map(({ id }) => id)
      expect(await readyIn(folder)).toEqual(theirs)
      ready += theirs.length
    }),
    { numRuns: GRAPHS, endOnFailure: true },
  )
  expect(ready).toBeGreaterThan(GRAPHS)
})

test('in a real tracker of 2404 beads, imported by bd, the ready beads are those that bd names', async () => {
  const { folder, bd } = database('real')
  const real = readFileSync(join(import.meta.dirname, '../data/beads-2404.jsonl'), 'utf8')
  // bd 1.0 knows neither the types and statuses of older versions nor a child without its parent.
  const good = real.split('\n').filter((raw) => jsonProblem(raw) === null)
  const { beads: each } = parseIssues(project, good.join('\n'))
  const known = each.flatMap((bead) => {
    const isType = /^(bug|feature|task|epic|chore|molecule|message|gate)$/.test(bead.type)
    return isType && !/^(hooked|tombstone)$/.test(bead.trackerStatus) ? [{ raw: bead.raw ?? '', id: bead.id }] : []
  })
  const ids = new Set<string>(known.map(({ id }) => id))
  const orphaned = (id: string): boolean => id.includes('.') && (!ids.has(parentOf(id)) || orphaned(parentOf(id)))
  const lines = known.flatMap(({ raw, id }) => (orphaned(id) ? [] : [raw]))
  expect(lines.length).toBeGreaterThan(1500)
  writeFileSync(join(root, 'known.jsonl'), `${lines.join('\n')}\n`)
  bd('import', join(root, 'known.jsonl'))
  const theirs = (JSON.parse(bd('ready', '--limit', '0', '--json')) as { id: string }[]).map(({ id }) => id)
  const ours = await readyIn(folder)
  expect(theirs.length).toBeGreaterThan(40)
  expect(ours).toEqual(theirs)
})

const parentOf = (id: string): string => id.slice(0, id.lastIndexOf('.'))
