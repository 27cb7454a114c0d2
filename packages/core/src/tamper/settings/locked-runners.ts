import { shortName } from '../finding-words.ts'
import { patchLines, type ChangedFile } from '../patch.ts'
import { RUNNERS_OF_NODE } from './own-runners.ts'

/*
 * Lock files of npm and Yarn in which a runner comes from elsewhere than before. They are long, and everything else in
 * them is checked by the package managers, so only these lines are read.
 */

const LOCK = /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock)$/
const HEAD = /^"(?:[^"]{0,300}\/)?node_modules\/([^"]{1,200})": ?\{|^"?(@?[^@"\s]{1,200})@[^:]{1,300}:?.*:$/
const RESOLVED = /^"?resolved"? ?:? ?"([^"]{1,500})"/
const RUNNER = new RegExp(`^(?:${RUNNERS_OF_NODE})$`)

export const isLock = (path: string): boolean => LOCK.test(path) && !/(?:^|\/)node_modules\//.test(path)

const hostOf = (url: string): string => /^(?:https?|git\+?\w*):\/\/([^/]+)/.exec(url)?.[1] ?? ''

/** One sentence for each file. */
export function lockedRunners(files: readonly ChangedFile[]): string[] {
  return files.flatMap(({ path, patch, status }) => {
    if (status === 'D' || !isLock(path)) return []
    const lines = patchLines(patch)
    let name = ''
    const all = lines.flatMap(({ sign, plain }) => {
      const head = HEAD.exec(plain)?.slice(1).find(Boolean)
      if (head !== undefined) name = head
      const url = RESOLVED.exec(plain)?.[1]
      return url === undefined ? [] : [{ sign, name, url }]
    })
    const hosts = new Set(all.flatMap(({ sign, url }) => (sign === '-' ? [] : [hostOf(url)])))
    const former = new Map(all.flatMap((one) => (one.sign === '-' ? [[one.name, hostOf(one.url)]] : [])))
    const found = all.find(({ sign, name: own, url }) => {
      // A package of a workspace has no address.
      if (sign !== '+' || !RUNNER.test(own) || !url.includes(':')) return false
      if (!/^https?:/.test(url) || !url.includes(`/${own}/-/`)) return true
      // A registry is replaced for all packages at once.
      const before = former.get(own)
      return before !== undefined && before !== hostOf(url) && hosts.has(before)
    })
    return found === undefined
      ? []
      : [`${shortName(path)} takes ${found.name}, by which tests are judged, from elsewhere`]
  })
}
