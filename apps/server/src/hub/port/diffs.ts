import type { Hub } from '../../ports/hub.ts'
import { addedText, contents, textsIn } from '../added-text.ts'
import { filePatch } from '../diff.ts'
import { matchingLines } from '../matching-lines.ts'
import type { RecentDiffs } from '../recent-diffs.ts'
import { isSameWork } from '../tracker/same-work.ts'
import type { HubParts } from './parts.ts'

type Diffs = Pick<Hub, 'matchingLines' | 'diff' | 'addedText' | 'contents' | 'textsIn' | 'patch' | 'isSameWork'>

/** Compares commits, and searches in them. */
export function hubDiffs({ git, clones, existing }: HubParts, diffs: RecentDiffs): Diffs {
  return {
    matchingLines: async (project, commit, pattern, paths) =>
      matchingLines(await existing(project), commit, pattern, paths),
    diff: async (project, from, to, how) => [...(await diffs.files(await existing(project), from, to, how))],
    addedText: async (project, from, to) => addedText(await existing(project), from, to),
    contents: async (project, objects) => {
      const { gitDir } = await existing(project)
      return contents(git.clones.at(gitDir).objects, objects)
    },
    textsIn: async (project, commit, texts) => textsIn(await existing(project), commit, texts),
    patch: async (project, from, to, path, limitBytes, how) => {
      const deps = await existing(project)
      const files = await diffs.files(deps, from, to, how)
      return filePatch(deps, { from, to, path, limitBytes, ...how }, files)
    },
    isSameWork: async (project, one, other) => {
      const gitDir = await clones.known(project)
      return gitDir !== null && isSameWork(git.clones.at(gitDir).objects, one, other)
    },
  }
}
