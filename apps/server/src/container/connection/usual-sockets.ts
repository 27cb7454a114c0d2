import { join } from 'node:path'
import { DEFAULT_SOCKET } from './address.ts'
import type { Surroundings } from './surroundings.ts'

/**
 * The default sockets of engines, in the order of preference: Docker's own, those of programs that bring a Docker
 * along, a rootless Docker, then Podman, which lacks a few things.
 *
 * @param colimaProfiles the folders of colima's profiles
 */
export function usualSockets({ env, uid }: Surroundings, colimaProfiles: readonly string[]): string[] {
  const home = env['HOME'] || null
  const atHome = (...path: string[]) => (home === null ? [] : [join(home, ...path)])
  const lima = env['LIMA_HOME'] ? [env['LIMA_HOME']] : atHome('.lima')
  const runtime = [
    ...(env['XDG_RUNTIME_DIR'] ? [env['XDG_RUNTIME_DIR']] : []),
    ...(uid === null ? [] : [`/run/user/${uid}`]),
  ]
  const found = [
    DEFAULT_SOCKET,
    ...atHome('.docker', 'run', 'docker.sock'),
    ...atHome('.docker', 'desktop', 'docker.sock'),
    ...atHome('.orbstack', 'run', 'docker.sock'),
    ...colimaProfiles.map((folder) => join(folder, 'docker.sock')),
    ...atHome('.rd', 'docker.sock'),
    ...lima.flatMap((folder) => ['docker', 'default'].map((vm) => join(folder, vm, 'sock', 'docker.sock'))),
    ...runtime.map((folder) => join(folder, 'docker.sock')),
    ...runtime.map((folder) => join(folder, 'podman', 'podman.sock')),
    ...atHome('.local', 'share', 'containers', 'podman', 'machine', 'podman.sock'),
    '/run/podman/podman.sock',
  ]
  return [...new Set(found)]
}

/** The folders where colima keeps profiles; the first one that exists counts. */
export function colimaFolders({ env }: Surroundings): string[] {
  const home = env['HOME']
  const config = env['XDG_CONFIG_HOME'] || (home ? join(home, '.config') : null)
  return [
    ...(env['COLIMA_HOME'] ? [env['COLIMA_HOME']] : []),
    ...(home ? [join(home, '.colima')] : []),
    ...(config ? [join(config, 'colima')] : []),
  ]
}
