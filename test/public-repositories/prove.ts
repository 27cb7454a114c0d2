import { cpus, loadavg } from 'node:os'
import type { EnvironmentView, ProofView } from '@beadloom/core/api/projects/environment-api.ts'
import { toolchainWords } from '@beadloom/core/environment/toolchains/toolchain-words.ts'
import type { World } from '../support/world.ts'
import { watchDownloads, type Spent } from './download.ts'
import type { Result } from './results.ts'

export const environmentOf = (world: World, id: string): Promise<EnvironmentView> =>
  world.get<EnvironmentView>(`/api/projects/${id}/environment`)

/**
 * Adds the project without a file in its repository. Sets one attempt on the server: a failure need not come three
 * times.
 */
export async function addProject(world: World, id: string, source: string): Promise<void> {
  const added = await world.api('POST', '/api/projects', { source, id })
  if (added.status !== 201) throw new Error(`"project add" answered ${added.status}: ${JSON.stringify(added.body)}`)
  const { revision } = await world.get<{ revision: number }>(`/api/projects/${id}/settings`)
  const changes = { 'verification.maxAttempts': 1 }
  const chosen = await world.api('PATCH', `/api/projects/${id}/settings`, { revision, changes })
  if (chosen.status !== 200) throw new Error(`the setting was refused: ${JSON.stringify(chosen.body)}`)
}

export type Proved = Pick<Result, 'found' | 'base' | 'sentence' | 'spent' | 'load'>

export async function prove(world: World, id: string, say: (text: string) => void): Promise<Proved> {
  const asked = await world.api('POST', `/api/projects/${id}/environment/prove`)
  if (asked.status !== 200) throw new Error(`the base cannot be proved: ${JSON.stringify(asked.body)}`)
  let said = ''
  const spent = await watchDownloads(world.server.store.instance, async () => {
    const { proof } = await environmentOf(world, id)
    if (proof?.state !== 'proving') return null
    if (proof.text !== said) say(proof.text.slice(0, 160))
    said = proof.text
    return proof.text
  })
  const view = await environmentOf(world, id)
  // The engine failed, which proves nothing about the repository.
  if (view.proof === null) throw new Error('the proof came to nothing')
  for (const { passed, digest } of view.proof?.checks ?? []) if (!passed) say(digest)
  return { ...baseOf(view.proof), found: foundIn(view), spent: rounded(spent), load: loadNow() }
}

function baseOf(proof: ProofView): Pick<Proved, 'base' | 'sentence'> {
  if (proof.state === 'proving' || proof.state === 'stopped') return { base: 'none', sentence: '' }
  // Green without a check proves nothing.
  const base = proof.state === 'green' && proof.checks.length === 0 ? 'none' : proof.state
  return { base, sentence: proof.state === 'green' ? '' : proof.text }
}

const foundIn = ({ toolchains, proof, proposal }: EnvironmentView): string[] => [
  ...toolchains.toolchains.map(toolchainWords),
  ...(proof?.checks ?? []).map(({ name, command, summary }) => `${command || name}: ${summary}`),
  ...(proof === null || proof.checks.length === 0 ? proposal.open : []),
]

const loadNow = (): number => Math.round(((loadavg()[0] ?? 0) / cpus().length) * 10) / 10

const rounded = (spent: Spent): Spent =>
  Object.fromEntries(Object.entries(spent).map(([key, value]) => [key, Math.round(value)])) as Spent
