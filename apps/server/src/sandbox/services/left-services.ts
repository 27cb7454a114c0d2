import type { ExecutionId } from '@beadloom/core/records/ids.ts'
import type { ExecutionDeps } from '../../execution/deps.ts'
import type { ContainerRow } from '../../ports/store/containers.ts'
import { SERVICE } from '../../ports/service.ts'

type Known = Pick<ExecutionDeps, 'store'>

/** The beginning of the names of a sandbox's services. */
export const prefixOf = (sandbox: string): string => `${sandbox}-service-`

export const isServiceOf = ({ name, purpose }: Pick<ContainerRow, 'name' | 'purpose'>, sandbox: string): boolean =>
  purpose === SERVICE && name.startsWith(prefixOf(sandbox))

/** The stored services of a sandbox that are still wanted. */
export const servicesOf = ({ store }: Known, owner: ExecutionId, sandbox: string): ContainerRow[] =>
  store.containers(owner).filter((row) => row.state === 'held' && isServiceOf(row, sandbox))

/** Releases services whose sandbox is not continued, or begins another session: the next sweep removes them. */
export async function releaseServices(deps: Known, owner: ExecutionId, sandbox: string, why: string): Promise<void> {
  const { store } = deps
  for (const { name, engineId } of servicesOf(deps, owner, sandbox)) {
    await store.releaseContainer(name)
    for (const { id, kind, container, state } of store.sessions(owner))
      if (kind === SERVICE && container === engineId && state !== 'ended')
        await store.endSession(id, 'infra_error', null, why)
  }
}
