// @suite policy-long
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { Page } from '@beadloom/core/api/api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import type { BrokenBy } from '@beadloom/core/environment/base/proof.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { git, writeFiles } from '../support/repository.ts'
import { shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/*
 * Five bases that no bead can run on, each with three beads and autopilot. The trouble stays with the project: it is
 * reported once, and no bead fails for it.
 */

let world: World
beforeAll(async () => {
  world = await World.start({ engine: 'process' })
})
afterAll(() => world.stop())

const IDS = ['b-1', 'b-2', 'b-3']
const own = "cat > prompt.txt; id=$(grep -o 'b-[0-9]' prompt.txt | head -n 1); rm prompt.txt\n"
const mended = { setup: 'true', test: 'true' }
const filesOf = (config: object) =>
  shellProject({ agent: `${own}echo work > work-$id.txt\n`, config: { autopilot: true, ...config }, testsFirst: false })

const bad: { by: BrokenBy; config: object; says: RegExp; more?: Record<string, string> }[] = [
  {
    by: 'setup',
    config: { ...mended, setup: 'echo no such package; exit 9' },
    says: /Setup .* failed with exit code 9/,
  },
  {
    by: 'setup',
    config: { ...mended, setup: 'test -e missing' },
    says: /^Setup \(test -e missing\) failed with exit code 1\. It printed nothing\. To see which of its commands fails/,
  },
  {
    by: 'setup',
    config: { ...mended, setup: './prepare.sh' },
    says: /failed with exit code 126\. \.\/prepare\.sh may not be executed\. Make it executable/,
    more: { 'prepare.sh': 'true\n' },
  },
  { by: 'checks', config: { ...mended, test: 'exit 1' }, says: /The only check fails before any work is done/ },
  {
    by: 'command',
    config: { ...mended, test: 'no-such-dotnet test' },
    says: /no-such-dotnet is not installed.*app\.csproj:1 asks for \.NET 8\.0/,
    more: { 'app.csproj': '<TargetFramework>net8.0</TargetFramework>' },
  },
  { by: 'image', config: { ...mended, image: 'registry.invalid/team/nothing:1' }, says: /image/i },
  {
    by: 'command',
    config: { ...mended, test: 'no-such-runner .' },
    says: /cannot run: no-such-runner is not installed/,
  },
]

test.each(bad.map((one, at) => ({ ...one, id: `bad-${at + 1}` })))(
  'the base of $id ($by): nothing starts, it is reported once, and all continues when it is mended',
  async ({ id, by, config, says, more = {} }) => {
    const beads = IDS.map((name) => ({ id: name, title: `Write ${name}` }))
    const { remote } = await world.addProject(id, { ...filesOf(config), ...more }, beads)
    const reasons = async () =>
      Promise.all(IDS.map(async (name) => (await world.get<BeadView>(`/api/projects/${id}/beads/${name}`)).reason))
    await world.until(async () => (await reasons()).every((reason) => reason?.code === 'base_broken'))
    const { problem, problemKind, base, warnings } = await world.get<ProjectView>(`/api/projects/${id}`)
    expect(problem).toMatch(says)
    expect([problemKind, base?.state, base?.by, warnings]).toEqual(['base', 'broken', by, []])
    const executions = async () =>
      (await world.get<Page<ExecutionView>>(`/api/executions?project=${id}&limit=50`)).items
    expect((await executions()).filter(({ state, sessions }) => state !== 'QUEUED' || sessions.length > 0)).toEqual([])
    const all = async () => (await world.get<Page<BeadView>>(`/api/projects/${id}/beads`)).items
    expect((await all()).map((bead) => bead.id).toSorted()).toEqual(IDS)
    expect(world.server.store.containers().filter(({ project }) => project === id)).toEqual([])

    const clone = world.newFolder(`clone-${id}`)
    git(clone, 'clone', '--quiet', remote, '.')
    writeFiles(clone, filesOf(mended))
    git(clone, 'commit', '--quiet', '--all', '--message', 'Mend')
    git(clone, 'push', '--quiet', 'origin', 'HEAD:main')
    await world.until(async () => (await all()).every(({ status }) => status === 'done'))
    const ends = await executions()
    expect(ends.map(({ state }) => state)).toEqual(IDS.map(() => 'COMPLETED'))
    expect((await all()).map((bead) => bead.id).toSorted()).toEqual(IDS)
    expect(await world.get<ProjectView>(`/api/projects/${id}`)).toMatchObject({
      problem: null,
      base: { state: 'green' },
    })
  },
)
