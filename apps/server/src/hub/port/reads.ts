import type { Hub } from '../../ports/hub.ts'
import { checkCommit, checkRef } from '../clones/names.ts'
import { Refs } from '../git/refs.ts'
import { packBetween } from '../pack-between.ts'
import type { HubParts } from './parts.ts'

type Reads = Pick<
  Hub,
  | 'readFile'
  | 'realPath'
  | 'readFiles'
  | 'filesIn'
  | 'rootFiles'
  | 'paths'
  | 'hashFiles'
  | 'archive'
  | 'commits'
  | 'tip'
  | 'contains'
  | 'mergeBase'
  | 'pack'
>

/** Reads commits and their files. */
export function hubReads({ git, clones, existing, reader, refsOf }: HubParts): Reads {
  return {
    readFile: async (project, commit, path, limitBytes) => (await reader(project)).file(commit, path, limitBytes),
    realPath: async (project, commit, path) => (await reader(project)).realPath(commit, path),
    readFiles: async (project, commit, paths, limitBytes, unread) =>
      (await reader(project)).files(commit, paths, limitBytes, unread),
    filesIn: async (project, commit, folder) => (await reader(project)).filesIn(commit, folder),
    rootFiles: async (project, commit) => (await reader(project)).rootNames(commit),
    paths: async (project, commit, most) => (await reader(project)).paths(commit, most),
    hashFiles: async (project, commit, paths) => (await reader(project)).hash(commit, paths),
    archive: async (project, commit, folder, limitBytes) => (await reader(project)).archive(commit, folder, limitBytes),
    commits: async (project, from, to, limit) => (await reader(project)).commits(from, to, limit),
    tip: async (project, ref) => {
      const name = checkRef(ref)
      const gitDir = await clones.known(project)
      return gitDir === null ? null : new Refs(git, gitDir).tip(name)
    },
    contains: async (project, commit, ancestor) =>
      (await refsOf(project)).contains(checkCommit(commit), checkCommit(ancestor)),
    mergeBase: async (project, one, other) => (await refsOf(project)).mergeBase(checkCommit(one), checkCommit(other)),
    pack: async (project, commit, has, limitBytes) =>
      packBetween(await existing(project), checkCommit(commit), checkCommit(has), limitBytes),
  }
}
