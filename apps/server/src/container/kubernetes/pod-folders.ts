import { basename, dirname } from 'node:path'
import type { V1VolumeMount } from '@kubernetes/client-node'
import { SUPERVISOR_FOLDER, WORKSPACE } from '@beadloom/core/execution/session-order.ts'
import { AGENT_HOME, SCRATCH } from '../container-config.ts'

/*
 * The root file system of a pod is read-only. Each place that a sandbox may write to is a mount, and named here or in
 * the settings.
 */

/** The sandbox's files, as the keeper and the preparation see them. */
export const FILES = '/files'
/** The volumes of a pod, which end with it: on the disk of its node, and in its memory. */
export const DISK = 'files'
export const MEMORY = 'scratch'

/** Folders of a sandbox that outlive its end: the path in there, and the one below `FILES`. */
const folders = [WORKSPACE, AGENT_HOME, SUPERVISOR_FOLDER].map((path) => ({
  path,
  below: path === WORKSPACE ? basename(path) : `${basename(dirname(path))}/${basename(path)}`,
}))

/** Below `FILES`: here the preparation puts the first, the second … folder that the settings name. */
export const OTHERS = 'others'
/** A folder that everybody may write to on every Linux, and its place below `FILES`: empty at first. */
const VAR_TMP = '/var/tmp'
export const LARGE_SCRATCH = 'tmp'

/** The keeper's path for a path of the sandbox; null: it does not outlive the sandbox's end. */
export function keptPath(path: string): string | null {
  const folder = folders.find((one) => path === one.path || path.startsWith(`${one.path}/`))
  return folder === undefined ? null : `${FILES}/${folder.below}${path.slice(folder.path.length)}`
}

/**
 * Everything that a sandbox may write to.
 *
 * @param writable folders that the settings name
 */
export const mountsOf = (writable: readonly string[]): V1VolumeMount[] => [
  ...folders.map(({ path, below }) => ({ name: DISK, mountPath: path, subPath: below })),
  ...writable.map((path, at) => ({ name: DISK, mountPath: path, subPath: `${OTHERS}/${at}` })),
  { name: DISK, mountPath: VAR_TMP, subPath: LARGE_SCRATCH },
  { name: MEMORY, mountPath: SCRATCH },
]
