import type { BranchView, DiffView } from '@beadloom/core/api/executions/diff-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { ReviewView } from '@beadloom/core/api/reviews/review-api.ts'
import { lazy, Suspense, useMemo, useRef, useState } from 'react'
import { Conflict } from './commit-list.tsx'
import { BranchMoved, DiffBar } from './diff-bar.tsx'
import { ChangedFiles } from './files/changed-files.tsx'
import css from './diff-browser.module.css'
import { editorTemplate, editorUrl } from './editor-link.ts'
import { diffKeys } from './diff-keys.ts'
import type { DiffRange, RangeName } from './diff-ranges.ts'
import { totals } from './files/diff-totals.tsx'
import { diffRows, firstLine } from './lines/diff-rows.ts'
import type { RowActions } from './lines/diff-row-view.tsx'
import { DiffSurface, type Surface } from './diff-surface.tsx'
import { useColours } from './lines/use-colours.ts'
import type { LiveDiff } from './use-diff.ts'
import { useDiffFiles } from './files/use-diff-files.ts'
import { useDiffWalk, type DiffLink } from './use-diff-walk.ts'
import { useUpdate } from './use-update.ts'
import { askedLine } from './why/asked-line.ts'
import { copyText } from '../../ui/clipboard.ts'
import { shown } from '../../ui/text/hostile-text.ts'
import { useKeys } from '../../ui/keys/keys.ts'
import { toast, toastError } from '../../ui/toast.tsx'
import { counted } from '@beadloom/core/text/count-text.ts'
import { useMedia } from '../../ui/use-media.ts'

// Loaded later: few people ask, and only once they read.
const WhyLine = lazy(async () => ({ default: (await import('./why/why-line.tsx')).WhyLine }))

type Props = {
  project: string
  execution: ExecutionView
  live: LiveDiff & { diff: DiffView }
  review: ReviewView | null
  link: DiffLink
  onLink: (link: DiffLink) => void
  /** The part of the address that the branch does not have. */
  lost: string | null
  conflict: BranchView['conflict']
  ranges: readonly DiffRange[]
  range: DiffRange | null
  onRange: (name: RangeName | null) => void
  /** It has only half of the window: one column, and the list of files on demand. */
  narrow?: boolean
  ignoreSpace: boolean
  onIgnoreSpace: () => void
}

/** All changed files of a diff, for reading from the first to the last. */
export function DiffBrowser(props: Props) {
  const { project, execution, live, review, link, ranges, range, ignoreSpace } = props
  const { files, from, to } = live.diff
  const wide = useMedia('(min-width: 1400px)')
  const roomy = useMedia('(min-width: 901px)')
  const [chosenSplit, setSplit] = useState<boolean | null>(null)
  const [chosenList, setList] = useState<boolean | null>(null)
  const surface = useRef<Surface>(null)
  const filter = useRef<HTMLInputElement>(null)
  const split = chosenSplit ?? (wide && props.narrow !== true)
  const list = chosenList ?? (roomy && props.narrow !== true)
  const wish = { execution: live.pinned?.execution ?? execution.id, from, to, ignoreSpace }
  const held = useDiffFiles({ project, diff: live.diff, wish, review, linked: link.file })
  const { shapes, large } = held
  const rows = useMemo(() => diffRows(shapes, split), [shapes, split])
  const walk = useDiffWalk({ surface, rows, shapes, link, onLink: props.onLink })
  const [editor] = useState(editorTemplate)
  const colours = useColours(shapes)
  const { updating, update } = useUpdate(live, held, rows, ignoreSpace)
  const asked = askedLine(walk.row, shapes)

  const actions: RowActions = {
    ...held,
    copyPath: (at) =>
      void copyText(Promise.resolve(files[at]?.path ?? '')).then(() => toast('Path copied'), toastError),
    goToLine: walk.goToLine,
    editorUrl: (at) => {
      const shape = shapes[at]
      if (!shape || shape.file.status === 'D') return null
      return editorUrl(editor, project, shape.file.path, walk.lineIn(at) ?? firstLine(shape))
    },
    command: (at) => `beadloom diff ${execution.id} ${JSON.stringify(files[at]?.path ?? '')}`,
  }
  const toNewest = () => void update(walk.place())
  useKeys('Diff', [
    ...diffKeys(held, walk, { split: () => setSplit(!split), ignoreSpace: props.onIgnoreSpace, update: toNewest }),
    {
      keys: ['/'],
      does: 'Filter files',
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
        viewed={files.filter((_, at) => held.isViewed(at)).length}
        branch={live.pinned?.branch ?? execution.branch}
        ranges={ranges}
        range={range}
        onRange={props.onRange}
        split={split}
        onSplit={() => setSplit(!split)}
        ignoreSpace={ignoreSpace}
        onIgnoreSpace={props.onIgnoreSpace}
        list={list}
        onList={() => setList(!list)}
      />
      <Notices {...props} large={large} onFile={walk.showFile} />
      <div className={css['body']}>
        {list && (
          <ChangedFiles
            tree={roomy}
            shapes={shapes}
            read={walk.file}
            isViewed={held.isViewed}
            onChoose={walk.showFile}
            filterRef={filter}
          />
        )}
        <DiffSurface
          ref={surface}
          rows={rows}
          shapes={shapes}
          actions={actions}
          colours={colours}
          current={walk.marked}
          onMoved={walk.moved}
          onTop={walk.top}
          label={`Diff of ${execution.bead}`}
          onSeen={held.want}
        />
        {live.moved !== null && <BranchMoved files={live.moved} busy={updating} onUpdate={toNewest} />}
      </div>
      {asked !== null && (
        <Suspense fallback={null}>
          <WhyLine execution={execution} asked={asked} />
        </Suspense>
      )}
    </div>
  )
}

type NoticesProps = Pick<Props, 'execution' | 'live' | 'lost' | 'conflict'> & {
  large: boolean
  onFile: (file: number) => void
}

/** Facts about the whole diff that a reader has to know. */
function Notices({ execution, live, lost, conflict, large, onFile }: NoticesProps) {
  const { files, more = 0 } = live.diff
  const { added, removed } = totals(files)
  return (
    <>
      {large && (
        <p className={css['notice']}>
          {counted(added + removed, 'changed line')} in {counted(files.length, 'file')}: files open one at a time. As
          plain text: <code>beadloom diff {execution.id}</code>
        </p>
      )}
      {more > 0 && (
        <p className={css['notice']}>
          Only the first {counted(files.length, 'changed file')} are listed here; {counted(more, 'more file')} changed,
          too.
        </p>
      )}
      {lost !== null && (
        <p className={css['notice']} role="status">
          {shown(lost)} is no longer on the branch. Showing the whole branch.
        </p>
      )}
      {files.length === 0 && <p className={css['notice']}>No differences.</p>}
      {conflict !== null && (
        <Conflict
          conflict={conflict}
          placeOf={(path) => {
            const at = files.findIndex((file) => file.path === path)
            return at < 0 ? null : at
          }}
          onFile={onFile}
        />
      )}
    </>
  )
}
