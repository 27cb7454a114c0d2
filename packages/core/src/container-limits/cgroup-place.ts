import type { LimitReport } from './limit-report.ts'

export type Controller = 'memory' | 'pids' | 'cpu'

/** `folders`: the container's own first, then its parents, as far as they are visible inside. */
export type Place = { version: 1 | 2; folders: string[] }

type Mount = { root: string; point: string; version: 1 | 2; options: string[] }

/**
 * The folders of a controller's files. Null: no mount shows it, so nothing is known.
 *
 * A controller belongs to one hierarchy: one of version 1 if a line of `/proc/self/cgroup` names it, else the only one
 * of version 2, also if both versions are mounted. Within that hierarchy the container's path is seen through a mount,
 * which may show only a part of it: all (`/` in a container without a cgroup namespace), or just the container's own
 * folder.
 */
export function placeOf(controller: Controller, { cgroup, mountinfo }: LimitReport): Place | null {
  const lines = cgroup.split('\n').flatMap((line) => {
    const [, id, controllers, path] = /^(\d+):([^:]*):(\/.*)$/.exec(line) ?? []
    return id !== undefined && path !== undefined ? [{ id, controllers: (controllers ?? '').split(','), path }] : []
  })
  const first = lines.find(({ controllers }) => controllers.includes(controller))
  const line = first ?? lines.find(({ id, controllers }) => id === '0' && controllers.join() === '')
  if (!line) return null
  const version = first ? 1 : 2
  const mount = mountsIn(mountinfo).find(
    (one) => one.version === version && (version === 2 || one.options.includes(controller)),
  )
  return mount ? { version, folders: foldersIn(mount, line.path) } : null
}

function mountsIn(mountinfo: string): Mount[] {
  return mountinfo.split('\n').flatMap((line) => {
    const [left = '', right = ''] = line.split(' - ')
    const [, , , root, point] = left.split(' ')
    const [type, , options = ''] = right.split(' ')
    if (root === undefined || point === undefined || (type !== 'cgroup' && type !== 'cgroup2')) return []
    return [{ root, point, version: type === 'cgroup' ? 1 : 2, options: options.split(',') } as const]
  })
}

function foldersIn({ root, point }: Mount, path: string): string[] {
  const own = root === '/' ? path : path === root || path.startsWith(`${root}/`) ? path.slice(root.length) : ''
  const folders: string[] = []
  for (let at = own.replace(/\/$/, ''); at !== ''; at = at.slice(0, at.lastIndexOf('/'))) folders.push(point + at)
  return [...folders, point]
}
