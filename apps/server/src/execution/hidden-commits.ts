import type { LiveExecution } from './live-execution.ts'

/** The data of the event `secrets_found`. `hidden`: an earlier commit of the work has a secret that its files no longer have. */
export type SecretsFound = { commit: string; findings: string[]; refused: string[]; hidden: boolean }

/** Whether the commits of this verified work must not reach the remote: they become one commit. */
export function hasHiddenCommits({ deps: { store }, id }: LiveExecution, commit: string): boolean {
  const found = store.lastEvent(id, 'secrets_found')?.data as SecretsFound | undefined
  return found?.hidden === true && found.commit === commit
}
