import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import { linkFolderIn } from '@beadloom/server/src/process/link-folder.ts'
import { git } from './repository.ts'
import { shellProject } from './shell-project.ts'
import { BEAD, done, rows } from './ways-to-end.ts'
import { World } from './world.ts'

/**
 * Tests every way in which an execution can end: its bead, the follow-up, the remote, the events, and that nothing is
 * left. On Docker, only the ways that ask for it.
 */
export function everyEnd(engine: 'docker' | 'process'): void {
  let world: World
  const scenarios = mkdtempSync(join(tmpdir(), 'bl-scenarios-'))
  beforeAll(async () => {
    const turn = { say: 'I look again.', calls: [{ tool: 'read_file', arguments: { path: 'README.md' } }] }
    const turns = Array.from({ length: 20 }, () => turn)
    const endless = { name: 'endless', about: 'Never ends by itself.', beads: {}, otherwise: { turns } }
    writeFileSync(join(scenarios, 'endless.json'), JSON.stringify(endless))
    world = await World.start({ engine, scenarios })
  })
  afterAll(async () => {
    await world.stop()
    rmSync(scenarios, { recursive: true })
  })

  /** Facts that each row proves besides its own. */
  const all = 'the state, the bead, what follows, the sync, and nothing left'

  const ours = rows.filter(({ onDocker }) => engine === 'process' || onDocker)
  test.concurrent.each(ours.map((row) => [`${row.name}: ${all}`, row] as const))('%s', async (_, row) => {
    const id = `end-${rows.indexOf(row)}`
    const files = shellProject({
      agent: row.agent ?? '',
      ...(row.test === undefined ? {} : { test: row.test }),
      ...(row.config === undefined ? {} : { config: row.config }),
    })
    const { remote } = await world.addProject(id, files, [{ id: BEAD, title: 'End somehow' }])
    await row.before?.(world, id)
    const queued = await world.queue(id, BEAD, row.body ?? {})
    await row.during?.(world, queued, remote)
    const ended = await world.ended(queued.id)

    expect(ended).toMatchObject(row.end)
    expect(ended.detail).toMatch(row.says ?? /^\S.*[.!]/s)
    const bead = await world.get<BeadView>(`/api/projects/${id}/beads/${BEAD}`)
    expect(bead.status).toBe(row.bead)

    const filed = ended.followUps.map(({ kind }) => kind)
    expect(filed).toEqual(row.followUp === null ? [] : [row.followUp])
    for (const one of ended.followUps) {
      const view = await world.get<BeadView>(`/api/projects/${id}/beads/${one.bead}`)
      expect(view.description).toMatch(row.says ?? /./)
      expect(view.labels).toEqual(row.human ? ['beadloom', 'needs-human'] : ['beadloom'])
      expect(view.dependencies).toMatchObject([{ id: BEAD, type: 'discovered-from' }])
    }

    const branches = git(remote, 'for-each-ref', '--format=%(refname:short)').split('\n')
    expect(branches.includes(ended.branch)).toBe(row.remote === 'work')
    const hub = join(world.data, 'hub', `${id}.git`)
    const saved = git(hub, 'for-each-ref', '--format=%(refname)', `refs/beadloom/${ended.id}`)
    const ahead = ended.baseCommit
      ? git(hub, 'rev-list', '--count', `${ended.baseCommit}..refs/heads/${ended.branch}`)
      : '0'
    if (row.kept === 'ref') expect(saved).not.toBe('')
    if (row.kept === 'branch') expect(Number(ahead)).toBeGreaterThan(0)
    if (row.kept === 'nothing') expect([saved, Number(ahead)]).toEqual(['', 0])

    const events = await world.events(ended.id)
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1))
    const states = events.filter(({ type }) => type === 'state').map(({ data }) => (data as { to: string }).to)
    expect(states).toEqual(['QUEUED', 'RUNNING', row.end.state])
    const steps = events.filter(({ type }) => type === 'pipeline').map(({ data }) => (data as { step: string }).step)
    expect(steps).toEqual(['status', 'bead', 'sync', 'cleanup'])
    expect(events.at(-1)?.type).toBe('pipeline')

    expect(await world.containers.of(ended.id)).toEqual([])
    const links = readdirSync(await linkFolderIn(world.data, world.server.store.instance))
    expect(links.filter((name) => name.startsWith(ended.id))).toEqual([])
    expect(ended.sessions.every(({ state }) => state === 'ended')).toBe(true)
  })

  test('CANCELLED before it began: nothing was moved, filed or made', async () => {
    await world.addProject('end-queued', shellProject({ agent: done, config: {} }), [
      { id: BEAD, title: 'End somehow' },
    ])
    await world.api('POST', '/api/projects/end-queued/pause')
    const { id } = await world.queue('end-queued', BEAD)
    await world.api('POST', `/api/executions/${id}/cancel`)
    const ended = await world.ended(id)
    expect(ended).toMatchObject({ state: 'CANCELLED', startedAt: null, sessions: [], followUps: [] })
    expect((await world.get<BeadView>(`/api/projects/end-queued/beads/${BEAD}`)).status).toBe('open')
  })
}
