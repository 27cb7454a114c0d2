import type { DiffFileView, DiffView } from '@beadloom/core/api/executions/diff-api.ts'
import type { ReviewView } from '@beadloom/core/api/reviews/review-api.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { totals } from './diff-totals.tsx'
import { notesByFile, type DiffNote } from '../diff-notes.ts'
import type { FileShape } from '../lines/diff-rows.ts'
import { foldReason, LARGE_DIFF_LINES } from '../lines/fold-reason.ts'
import type { PatchWish } from '../lines/patch-query.ts'
import { usePatches } from '../lines/use-patches.ts'
import { useViewedFiles } from './viewed-files.ts'
import { getDiff } from '../../../api/endpoints.ts'

/** Steps of "more lines around the changes": 3 as git has it, 20, the whole file. */
const MORE_CONTEXT = [20, 100_000]
const waiting = { is: 'waiting' } as const
const none: readonly DiffNote[] = []

const shapes = new WeakMap<DiffFileView, FileShape>()

/** The file's previous shape if nothing in it differs: things computed from it are kept, too. */
function sameShape(shape: FileShape): FileShape {
  const { file, open, folded, patch, notes } = shape
  const old = shapes.get(file)
  if (old?.open === open && old.folded === folded && old.patch === patch && old.notes === notes) return old
  shapes.set(file, shape)
  return shape
}

/** The patches to read, by path, with the number of lines around each change; undefined: git's default. */
export type Wanted = ReadonlyMap<string, number | undefined>

type Given = { project: string; diff: DiffView; wish: PatchWish; review: ReviewView | null; linked: string | undefined }

export type DiffFiles = {
  shapes: readonly FileShape[]
  /** The diff is so long that files open one at a time. */
  large: boolean
  wanted: Wanted
  isViewed: (at: number) => boolean
  toggle: (at: number) => void
  view: (at: number, read: boolean) => void
  /** These files are on the screen, or nearly. */
  want: (seen: readonly number[]) => void
  /** Drops all other patches; they are read again when seen. */
  keep: (paths: ReadonlySet<string>) => void
  canExpand: (at: number) => boolean
  expand: (at: number) => void
  retry: (at: number) => void
}

/** The files of a diff: whether each is open, its patch as far as known, and its issues from a review. */
export function useDiffFiles({ project, diff, wish, review, linked }: Given): DiffFiles {
  const { files, to } = diff
  const [opened, setOpened] = useState<ReadonlyMap<string, boolean>>(
    () => new Map(linked === undefined ? [] : [[linked, true]]),
  )
  const [wanted, setWanted] = useState<Wanted>(() => new Map(linked === undefined ? [] : [[linked, undefined]]))
  const viewed = useViewedFiles(project)
  const { added, removed } = totals(files)
  const large = added + removed > LARGE_DIFF_LINES

  const seenByReview = useQuery({
    queryKey: ['diff', review?.id],
    queryFn: ({ signal }) => getDiff(review?.id ?? '', signal),
    enabled: review !== null && review.to !== to,
  })
  const notes = useMemo(
    // Until then their places are unknown, and notes must not move about.
    () =>
      seenByReview.isLoading
        ? new Map<string, DiffNote[]>()
        : notesByFile(review, to, files, seenByReview.data?.files ?? null),
    [review, to, files, seenByReview.data, seenByReview.isLoading],
  )
  const { patches, retry } = usePatches(wish, files, wanted)
  const shapes = useMemo(
    () =>
      files.map((file): FileShape => {
        const read = viewed.has(file)
        const why = foldReason(file) ?? (large ? 'Large diff: files open one at a time.' : null)
        return sameShape({
          file,
          open: opened.get(file.path) ?? (!read && why === null),
          folded: why,
          patch: patches.get(file.path) ?? waiting,
          notes: notes.get(file.path) ?? none,
        })
      }),
    // `marks` instead of `has`, which is new each time.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [files, viewed.marks, opened, large, patches, notes],
  )
  return {
    shapes,
    large,
    wanted,
    isViewed(at) {
      const file = files[at]
      return file !== undefined && viewed.has(file)
    },
    toggle(at) {
      const shape = shapes[at]
      if (!shape) return
      const { path } = shape.file
      // In a large diff one file is open at a time.
      setOpened((old) => new Map([...(large && !shape.open ? [] : old), [path, !shape.open]]))
    },
    view(at, read) {
      const file = files[at]
      if (!file) return
      viewed.set(file, read)
      setOpened((old) => new Map([...old].filter(([path]) => path !== file.path)))
    },
    want: (seen) =>
      setWanted((old) => {
        const fresh = seen.flatMap((at) => files[at]?.path ?? []).filter((path) => !old.has(path))
        return fresh.length === 0
          ? old
          : new Map([...old, ...fresh.map((path): [string, undefined] => [path, undefined])])
      }),
    keep: (paths) => setWanted((old) => new Map([...old].filter(([path]) => paths.has(path)))),
    canExpand(at) {
      const file = files[at]
      return file?.status === 'M' && wanted.get(file.path) !== MORE_CONTEXT.at(-1)
    },
    expand(at) {
      const path = files[at]?.path
      if (path === undefined) return
      const next = MORE_CONTEXT.find((lines) => lines > (wanted.get(path) ?? 3))
      setWanted((old) => new Map([...old, [path, next]]))
    },
    retry: (at) => retry(files[at]?.path ?? ''),
  }
}
