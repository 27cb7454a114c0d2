import type { ProjectId } from '@beadloom/core/records/ids.ts'
import { DIFF_BUDGET, FILE_BUDGET, type ReviewedFile } from '@beadloom/core/review/review-prompt.ts'
import type { Hub } from '../ports/hub.ts'

/** Each patch is two git processes. */
const MOST_PATCHES = 60

/** The files of a diff, with as many of their patches as a prompt has room for. `without`: a path that is left out. */
export async function diffFiles(
  hub: Pick<Hub, 'diff' | 'patch'>,
  project: ProjectId,
  from: string,
  to: string,
  without: string | null,
): Promise<ReviewedFile[]> {
  const files: ReviewedFile[] = []
  let room = DIFF_BUDGET
  let patches = 0
  for (const file of await hub.diff(project, from, to)) {
    if (file.path === without) continue
    const shown = file.added !== null && room > 0 && patches < MOST_PATCHES
    const patch = shown ? await hub.patch(project, from, to, file.path, Math.min(room, FILE_BUDGET)) : null
    if (patch !== null) {
      patches += 1
      room -= patch.text.length
    }
    files.push({ ...file, patch: patch?.text ?? null, cut: patch?.cut ?? false })
  }
  return files
}
