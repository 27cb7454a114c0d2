import { createHash } from 'node:crypto'
import type { ContainerInspectInfo } from 'dockerode'
import { EngineError } from '../ports/engine.ts'
import type { containerConfig } from './container-config.ts'
import { inspectContainer, stateOf } from './container-state.ts'
import type { DockerClient } from './docker-client.ts'
import { isLostReply } from './docker-error.ts'
import { label } from './docker-options.ts'
import { removeContainer } from './removal.ts'

type Config = ReturnType<typeof containerConfig>

/** Between two looks at a container that Docker is still making for a request whose answer was lost. */
const LOOK_MS = 250

/**
 * Creates the container, even if Docker's answer gets lost, now or in an earlier call: a container with that name is
 * taken if it was made from the very same settings for us and has never been started. Our container is made anew if its
 * settings differ; but if it has run, it is left alone, because it may hold work.
 */
export async function createContainer(
  client: DockerClient,
  { name = '', ...config }: Config,
): Promise<{ id: string; warnings: string[] }> {
  const spec = createHash('sha256').update(JSON.stringify(config)).digest('hex')
  const body = { ...config, Labels: { ...config.Labels, [label.spec]: spec } }
  const giveUpAt = client.clock.monotonic() + client.bounds.callMs
  for (;;) {
    try {
      const answer = (await client.call(`create the container ${name}`, (signal) =>
        client.request({ method: 'POST', path: '/containers/create', query: { name }, body, signal }),
      )) as { Id: string; Warnings?: string[] | null }
      return { id: answer.Id, warnings: answer.Warnings ?? [] }
    } catch (error) {
      if (!isNameTaken(error) && !isLostReply(error)) throw error
      const there = await inspectContainer(client, name)
      const decision = there && decide(there, body.Labels)
      if (decision === 'take') return { id: there!.Id, warnings: [] }
      if (decision === 'replace') await removeContainer(client, there!.Id)
      else if (decision) throw new EngineError('name-taken', `Docker has a container ${name} already. ${decision.why}`)
      else if (client.clock.monotonic() >= giveUpAt) throw error
      else await client.clock.sleep(LOOK_MS) // Docker has the name, and the container is not there yet or not any more
    }
  }
}

const isNameTaken = (error: unknown): boolean => error instanceof EngineError && error.kind === 'name-taken'

/** Decides about the container that has the name. */
function decide(
  there: ContainerInspectInfo,
  wanted: Record<string, string> = {},
): 'take' | 'replace' | { why: string } {
  const has = there.Config.Labels ?? {}
  const isOurs = [label.instance, label.execution, label.kind, label.probe].every((one) => has[one] === wanted[one])
  if (!isOurs)
    return {
      why: 'It does not belong to this server, so it is left alone: rename it (docker rename) or remove it (docker rm)',
    }
  if (stateOf(there).state !== 'created' || hasRun(there))
    return { why: 'It has been started before and may hold work, so it is neither used again nor removed' }
  return has[label.spec] === wanted[label.spec] ? 'take' : 'replace'
}

const hasRun = ({ State }: ContainerInspectInfo): boolean => Date.parse(State.StartedAt) > 0
