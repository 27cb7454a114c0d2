import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { PlanView } from '@beadloom/core/api/plans/plan-api.ts'
import { planOf, subtaskOf } from '@beadloom/core/plan/plan-kit.ts'
import { shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/* Plans that a person gives, from the request on. */
let world: World
beforeAll(async () => {
  world = await World.start({ engine: 'process' })
  await world.addProject('plans', shellProject({ agent: 'true\n' }), [
    { id: 'pl-1', title: 'A blog' },
    { id: 'pl-2', title: 'Another' },
    { id: 'pl-3', title: 'A third' },
  ])
})
afterAll(() => world.stop())

type Refusal = { error: { code: string; message: string; details?: string[] } }
const at = (bead: string, rest = '') => `/api/projects/plans/beads/${bead}/plan${rest}`
const put = <T = PlanView>(bead: string, body: unknown, rest = '') => world.api<T>('PUT', at(bead, rest), body)

const onCard = async (bead: string) => (await world.get<BeadView>(`/api/projects/plans/beads/${bead}`)).plan

describe('a plan of a person', () => {
  test('is on the card of its bead, with the version that counts', async () => {
    expect(await onCard('pl-3')).toBeUndefined()
    await put('pl-3', planOf([subtaskOf('1')]))
    expect(await onCard('pl-3')).toEqual({ version: 1, phased: false, approved: false })
    await put('pl-3', planOf([subtaskOf('1'), subtaskOf('2')]))
    expect(await onCard('pl-3')).toEqual({ version: 2, phased: true, approved: false })
    await world.api('POST', at('pl-3', '/approve'), {})
    expect(await onCard('pl-3')).toEqual({ version: 2, phased: true, approved: true })
  })

  test('is stored in versions, with computed phases and possible surprises', async () => {
    expect(await world.api<Refusal>('GET', at('pl-1'))).toMatchObject({
      status: 404,
      body: { error: { code: 'no_plan', message: expect.stringContaining('beadloom plan pl-1 --from FILE') } },
    })
    const subtasks = [
      subtaskOf('1a'),
      subtaskOf('1b', { filesTouched: ['src/'] }),
      subtaskOf('2a', { type: 'impl', dependsOn: ['1a'] }),
    ]
    expect(await put('pl-1', planOf(subtasks))).toMatchObject({
      status: 200,
      body: {
        version: 1,
        newest: 1,
        source: 'person',
        phases: [['1a', '1b'], ['2a']],
        phased: true,
        warnings: [expect.stringMatching("Subtask '1b' waits for '1a' in phase 1")],
        approvedAt: null,
      },
    })
    expect((await put('pl-1', planOf([subtaskOf('1')]))).body).toMatchObject({ version: 2, phased: false })
    expect(await world.get<PlanView>(at('pl-1', '?version=1'))).toMatchObject({ version: 1, newest: 2, subtasks })
  })

  test('does not overwrite somebody else’s, and only the newest is approved', async () => {
    const { body } = await put('pl-2', planOf([subtaskOf('1')]), '?onto=0')
    expect(body.version).toBe(1)
    expect(await put<Refusal>('pl-2', planOf([]), '?onto=0')).toMatchObject({
      status: 409,
      body: { error: { code: 'changed' } },
    })
    await put('pl-2', planOf([]), '?onto=1')
    const approve = (version: number) => world.api('POST', at('pl-2', '/approve'), { version })
    expect(await approve(1)).toMatchObject({ status: 409 })
    expect(await approve(2)).toMatchObject({ status: 200, body: { version: 2, approvedAt: expect.any(Number) } })
  })

  test.each([
    ['a circle', planOf([subtaskOf('a', { dependsOn: ['b'] }), subtaskOf('b', { dependsOn: ['a'] })]), 'in a circle'],
    [
      'an impl without a test',
      planOf([subtaskOf('a'), subtaskOf('b', { type: 'impl' })]),
      "Impl subtask 'b' has no test",
    ],
    ['an id with a newline', planOf([subtaskOf('a\nb')]), 'on one line'],
    ['a file outside of the repository', planOf([subtaskOf('a', { filesTouched: ['../x'] })]), 'leads out of a folder'],
    ['500 subtasks', planOf(Array.from({ length: 500 }, (_, one) => subtaskOf(`s${one}`))), 'at most 40 are allowed'],
    ['something else', [1, 2], 'expected object'],
  ])('with %s is refused with what to do', async (_, body, said) => {
    const refused = await put<Refusal>('pl-2', body)
    expect(refused).toMatchObject({ status: 422, body: { error: { code: 'plan_invalid' } } })
    expect(refused.body.error.message).toContain(said)
    expect(refused.body.error.details?.join(' ')).toContain(said)
  })

  test('for an unknown bead is refused', async () => {
    expect(await put('no-1', planOf([]))).toMatchObject({ status: 404 })
  })

  test('is described in the OpenAPI document', async () => {
    const document = await world.get<{ paths: Record<string, { put?: { requestBody: object } }> }>('/api/openapi.json')
    const described = document.paths['/api/projects/{project}/beads/{bead}/plan']?.put?.requestBody
    expect(described).toMatchObject({
      content: { 'application/json': { schema: { properties: { subtasks: { type: 'array' } } } } },
    })
  })
})
