import type { DiffView, ExecutionView, ReviewView } from '@beadloom/core/api.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { AttemptRange } from './attempt-ranges.ts'
import { BranchMoved, DiffBar, filesText, totals } from './diff-bar.tsx'
import css from './diff-browser.module.css'
import { notesByFile, type DiffNote } from './diff-notes.ts'
import { diffRows, rowOfLine, type FileShape } from './diff-rows.ts'
import type { RowActions } from './diff-row-view.tsx'
import { DiffSurface, type Surface } from './diff-surface.tsx'
import { FileList } from './file-list.tsx'
import { foldReason, LARGE_DIFF_LINES } from './fold-reason.ts'
import type { LiveDiff } from './use-diff.ts'
import { usePatches, useReadAhead } from './use-patches.ts'
import { useViewedFiles } from './viewed-files.ts'
import { copyText } from '../log/clipboard.ts'
import { getDiff } from '../../api/endpoints.ts'
import { useKeys } from '../../ui/keys.ts'
import { toast, toastError } from '../../ui/toast.tsx'
import { countText } from '../../ui/time-text.ts'
import { useMedia } from '../../ui/use-media.ts'

export type DiffLink = { file: string | undefined; line: number | undefined }
type Props = {
  project: string
  execution: ExecutionView
  live: LiveDiff & { diff: DiffView }
  review: ReviewView | null
  link: DiffLink
  onLink: (link: DiffLink) => void
  ranges: readonly AttemptRange[]
  range: AttemptRange | null
  onRange: (attempt: number | null) => void
  ignoreSpace: boolean
  onIgnoreSpace: () => void
}

/** Steps of "more lines around the changes": 3 as git has it, 20, the whole file. */
const MORE_CONTEXT = [20, 100_000]
const waiting = { is: 'waiting' } as const

/** All changed files of a diff, to be read from the first to the last. */
export function DiffBrowser(props: Props) {
  const { project, execution, live, review, link, ranges, range, ignoreSpace } = props
  const { files, from, to } = live.diff
  const wide = useMedia('(min-width: 1400px)')
  const roomy = useMedia('(min-width: 901px)')
  const [chosenSplit, setSplit] = useState<boolean | null>(null)
  const [chosenList, setList] = useState<boolean | null>(null)
  const [opened, setOpened] = useState<ReadonlyMap<string, boolean>>(
    () => new Map(link.file === undefined ? [] : [[link.file, true]]),
  )
  const [wanted, setWanted] = useState<ReadonlyMap<string, number | undefined>>(
    () => new Map(link.file === undefined ? [] : [[link.file, undefined]]),
  )
  const [updating, setUpdating] = useState(false)
  const [current, setCurrent] = useState<string | null>(null)
  const [currentFile, setCurrentFile] = useState(0)
  const surface = useRef<Surface>(null)
  const filter = useRef<HTMLInputElement>(null)
  /** The row that a key or a click went to; the next key goes on from there, unless the reader has scrolled. */
  const cursor = useRef<string | null>(null)
  const viewed = useViewedFiles(project)
  const split = chosenSplit ?? wide
  const list = chosenList ?? roomy
  const { added, removed } = totals(files)
  const large = added + removed > LARGE_DIFF_LINES

  const seenByReview = useQuery({
    queryKey: ['diff', review?.id],
    queryFn: ({ signal }) => getDiff(review?.id ?? '', signal),
    enabled: review !== null && review.to !== to,
  })
  const notes = useMemo(
    // Where they belong is known only then, and they must not wander about.
    () =>
      seenByReview.isLoading
        ? new Map<string, DiffNote[]>()
        : notesByFile(review, to, files, seenByReview.data?.files ?? null),
    [review, to, files, seenByReview.data, seenByReview.isLoading],
  )
  const wish = { execution: live.pinned?.execution ?? execution.id, from, to, ignoreSpace }
  const { patches, retry } = usePatches(wish, files, wanted)
  const readAhead = useReadAhead()
  const stamp = [...patches].map(([path, { is }]) => `${path}${is}`).join('\0')
  const patchesNow = useRef(patches)
  patchesNow.current = patches
  const shapes = useMemo(
    () =>
      files.map((file): FileShape => {
        const read = viewed.has(file)
        const why = foldReason(file) ?? (large ? 'The diff is large: files open one at a time.' : null)
        return {
          file,
          open: opened.get(file.path) ?? (!read && why === null),
          folded: why,
          patch: patchesNow.current.get(file.path) ?? waiting,
          notes: notes.get(file.path) ?? [],
        }
      }),
    // `stamp` stands for the patches: their map is a new one each time.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [files, viewed.marks, opened, large, stamp, wanted, ignoreSpace, to, notes],
  )
  const rows = useMemo(() => diffRows(shapes, split), [shapes, split])

  const toggle = (at: number) => {
    const shape = shapes[at]
    if (!shape) return
    const { path } = shape.file
    // Of a large diff one file is open at a time.
    setOpened((old) => new Map([...(large && !shape.open ? [] : old), [path, !shape.open]]))
  }
  const showFile = (at: number, mark = true) => {
    const row = rows.findIndex(({ is, file }) => is === 'head' && file === at)
    if (row < 0) return
    surface.current?.show(row)
    cursor.current = rows[row]?.key ?? null
    setCurrent(null)
    setCurrentFile(at)
    const path = shapes[at]?.file.path
    if (mark && path !== undefined) props.onLink({ file: path, line: undefined })
  }
  const view = (at: number, read: boolean) => {
    const shape = shapes[at]
    if (!shape) return
    viewed.set(shape.file, read)
    setOpened((old) => new Map([...old].filter(([path]) => path !== shape.file.path)))
  }
  const place = (): number => {
    const at = rows.findIndex(({ key }) => key === cursor.current)
    return at >= 0 ? at : (surface.current?.top() ?? 0)
  }
  const fileNow = (): number => rows[place()]?.file ?? 0
  const hunk = (way: 1 | -1) => {
    // Without a cursor the row on top may itself be the next one.
    let at = rows.some(({ key }) => key === cursor.current) || way === -1 ? place() + way : place()
    while (at >= 0 && at < rows.length && rows[at]?.is !== 'hunk') at += way
    const row = rows[at]
    if (!row) return
    surface.current?.show(at)
    cursor.current = row.key
    setCurrent(row.key)
    setCurrentFile(row.file)
  }
  const step = (way: 1 | -1) => showFile(Math.max(0, Math.min(files.length - 1, fileNow() + way)))

  const update = async () => {
    if (live.newest === null || live.moved === null) return
    setUpdating(true)
    const { diff, pinned } = live.newest
    const near = rows.slice(Math.max(0, place() - 60), place() + 120).map(({ file }) => shapes[file]?.file.path)
    const same = new Set(diff.files.map(({ path, blob }) => `${blob} ${path}`))
    const known = files.filter(({ path, blob }) => same.has(`${blob} ${path}`)).map(({ path }) => path)
    await readAhead(
      { execution: pinned.execution, from: diff.from, to: diff.to, ignoreSpace },
      diff.files.filter(({ path }) => near.includes(path) && wanted.has(path)),
      wanted,
    )
    const kept = new Set([...near, ...known])
    setWanted((old) => new Map([...old].filter(([path]) => kept.has(path))))
    setUpdating(false)
    live.update()
  }

  // The link of who opened the page: its file, and its line as soon as the patch is there.
  const linked = useRef(link.file !== undefined)
  useEffect(() => {
    const at = files.findIndex(({ path }) => path === link.file)
    if (!linked.current || at < 0) return
    const patch = shapes[at]?.patch.is
    const row = link.line === undefined ? -1 : rowOfLine(rows, at, link.line)
    if (row < 0) showFile(at, false)
    else {
      // With some lines above it.
      surface.current?.show(Math.max(rows.findIndex(({ file }) => file === at) + 1, row - 4))
      cursor.current = rows[row]?.key ?? null
      setCurrent(cursor.current)
    }
    if (link.line === undefined || patch !== 'waiting') linked.current = false
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [rows])

  const actions: RowActions = {
    toggle,
    view,
    isViewed: (at) => {
      const file = files[at]
      return file !== undefined && viewed.has(file)
    },
    copyPath: (at) =>
      void copyText(Promise.resolve(files[at]?.path ?? '')).then(() => toast('The path is copied.'), toastError),
    canExpand: (at) => {
      const file = files[at]
      return file?.status === 'M' && wanted.get(file.path) !== MORE_CONTEXT.at(-1)
    },
    expand: (at) => {
      const path = files[at]?.path
      if (path === undefined) return
      const next = MORE_CONTEXT.find((lines) => lines > (wanted.get(path) ?? 3))
      setWanted((old) => new Map([...old, [path, next]]))
    },
    retry: (at) => retry(files[at]?.path ?? ''),
    goToLine: (at, line) => {
      props.onLink({ file: files[at]?.path, line })
      setCurrent(rows[rowOfLine(rows, at, line)]?.key ?? null)
    },
    command: (at) => `beadloom diff ${execution.id} ${JSON.stringify(files[at]?.path ?? '')}`,
  }
  useKeys('Diff', [
    { keys: ['j'], does: 'Next change', run: () => hunk(1) },
    { keys: ['k'], does: 'Previous change', run: () => hunk(-1) },
    { keys: ['n'], does: 'Next file', run: () => step(1) },
    { keys: ['p'], does: 'Previous file', run: () => step(-1) },
    {
      keys: ['v'],
      does: 'The file is viewed, or is not',
      run: () => {
        const at = fileNow()
        const read = !actions.isViewed(at)
        view(at, read)
        if (read) showFile(at)
      },
    },
    { keys: ['s'], does: 'Split or stacked', run: () => setSplit(!split) },
    { keys: ['i'], does: 'Ignore changes of white space alone, or show them', run: props.onIgnoreSpace },
    { keys: ['u'], does: 'Update to the newest', run: () => void update() },
    {
      keys: ['/'],
      does: 'Filter the files',
      run: (event) => {
        event.preventDefault()
        setList(true)
        requestAnimationFrame(() => filter.current?.focus())
      },
    },
  ])
  return (
    <div className={css['diff']}>
      <DiffBar
        files={files}
        viewed={files.filter((file) => viewed.has(file)).length}
        branch={live.pinned?.branch ?? execution.branch}
        ranges={ranges}
        range={range?.attempt ?? null}
        onRange={props.onRange}
        split={split}
        onSplit={() => setSplit(!split)}
        ignoreSpace={ignoreSpace}
        onIgnoreSpace={props.onIgnoreSpace}
        list={list}
        onList={() => setList(!list)}
      />
      {large && (
        <p className={css['notice']}>
          {countText(added + removed)} changed lines in {filesText(files.length)}: files open one at a time. As plain
          text: <code>beadloom diff {execution.id}</code>
        </p>
      )}
      <div className={css['body']}>
        {list && (
          <FileList
            shapes={shapes}
            current={currentFile}
            isViewed={actions.isViewed}
            onChoose={(at) => showFile(at)}
            filterRef={filter}
          />
        )}
        <DiffSurface
          ref={surface}
          rows={rows}
          shapes={shapes}
          actions={actions}
          current={current}
          onMoved={() => {
            cursor.current = null
          }}
          onTop={(at) => {
            if (cursor.current === null) setCurrentFile(at)
          }}
          label={`Diff of ${execution.bead}`}
          onSeen={(seen) =>
            setWanted((old) => {
              const fresh = seen.flatMap((at) => files[at]?.path ?? []).filter((path) => !old.has(path))
              return fresh.length === 0
                ? old
                : new Map([...old, ...fresh.map((path): [string, undefined] => [path, undefined])])
            })
          }
        />
        {live.moved !== null && <BranchMoved files={live.moved} busy={updating} onUpdate={() => void update()} />}
      </div>
    </div>
  )
}
