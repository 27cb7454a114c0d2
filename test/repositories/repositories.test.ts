import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { EnvironmentView } from '@beadloom/core/api/projects/environment-api.ts'
import { isTerminal } from '@beadloom/core/records/execution.ts'
import { toolchainWords } from '@beadloom/core/environment/toolchains/toolchain-words.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { issues, makeRepository } from '../support/repository.ts'
import { World } from '../support/world.ts'
import { removeImages } from './images.ts'
import { released, type Released } from './released.ts'

/*
 * Released projects from their registries, from `project add` to COMPLETED. No file says what they need:
 * `beadloom.json` only names an agent that needs no model. The machine reaches no image registry.
 */

let world: World
const rows: string[] = []
beforeAll(async () => {
  world = await World.start()
})
afterAll(async () => {
  console.log(['', 'project | detected | on the base | end | minutes', ...rows, ''].join('\n'))
  const projects = world.server.store.projects()
  await world.stop()
  for (const { id } of projects) removeImages(id)
})

/** Apache's projects refuse files without this line. */
const LICENSE = 'SPDX-License-Identifier: Apache-2.0'
const AGENT = `echo "${LICENSE}" > NOTE.md && git add -A && git commit -q -m "Add a note" && git push -q`

async function repositoryOf({ fetch }: Released, id: string): Promise<string> {
  const folder = world.newFolder(id)
  await fetch(folder)
  return makeRepository(folder, {
    'beadloom.json': JSON.stringify({ name: LICENSE, agent: 'command', command: AGENT }),
    '.beads/issues.jsonl': issues({ id: 'r-1', title: 'Add a note', description: LICENSE }),
  })
}

const environment = (id: string) => world.get<EnvironmentView>(`/api/projects/${id}/environment`)

/** Adds the project and runs its bead; returns the end, or the reason why it cannot start. */
async function toTheEnd(id: string, source: string): Promise<{ state: string; detail: string }> {
  const { status, body } = await world.api('POST', '/api/projects', { source, id })
  expect(status, JSON.stringify(body)).toBe(201)
  const queued = await world.queue(id, 'r-1')
  let end = { state: '', detail: '' }
  await world.until(async () => {
    const execution = await world.execution(queued.id)
    const { proof } = await environment(id)
    if (isTerminal(execution.state)) end = { state: execution.state, detail: await endOf(execution) }
    else if (proof?.state === 'broken') end = { state: 'not started', detail: JSON.stringify(proof) }
    return end.state !== ''
  })
  return end
}

/** The execution's sentence, with the last output of each session: nobody can look there after the test. */
async function endOf({ detail, sessions }: ExecutionView): Promise<string> {
  const logs = await Promise.all(sessions.map(({ id }) => world.log(id)))
  return [detail ?? '', ...logs.map((log) => log.slice(-1500))].join('\n')
}

/** The id of a project of this run alone: earlier preparations must not count. */
const idOf = ({ name }: Released): string => {
  const words = name.toLowerCase().replace(/[^a-z]+/g, '-')
  return `${words.slice(0, 30).replace(/-$/, '')}-${world.server.store.instance.slice(-6).toLowerCase()}`
}

test.each(released)('$name goes from "project add" to COMPLETED', async (project) => {
  const id = idOf(project)
  const source = await repositoryOf(project, id)
  const began = performance.now()
  const { state, detail } = await toTheEnd(id, source)
  const minutes = (performance.now() - began) / 60_000
  const { toolchains, proof } = await environment(id)
  const detected = toolchains.toolchains.map(toolchainWords).join('; ') || 'nothing'
  const onBase = proof?.state === 'green' ? 'green' : `${proof?.state}: ${proof?.text}`
  rows.push([project.name, detected, onBase, state, minutes.toFixed(1)].join(' | '))
  expect(state, detail).toBe('COMPLETED')
})
