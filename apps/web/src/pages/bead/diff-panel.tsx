import type { DiffFileView, ExecutionView } from '@beadloom/core/api.ts'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import css from './diff-panel.module.css'
import { getDiff, getPatch } from '../../api/endpoints.ts'
import { Button } from '../../ui/button.tsx'
import { shown } from '../../ui/hostile-text.ts'
import { PanelMessage } from '../../ui/panel-message.tsx'
import { countText } from '../../ui/time-text.ts'

const route = getRouteApi('/p/$project/b/$bead')
/** A diff of this size is shown whole at once. */
const SMALL_FILES = 8
const SMALL_LINES = 400

const letters: Record<string, string> = {
  A: 'added',
  M: 'changed',
  D: 'deleted',
  R: 'renamed',
  C: 'copied',
  T: 'type changed',
}

/** The files that an execution changed; one file's patch when it is opened. */
export function DiffPanel({ execution }: { execution: ExecutionView | null }) {
  const { file } = route.useSearch()
  /** The file of the link; what is opened later is only noted in the URL. */
  const [linked] = useState(file)
  const navigate = route.useNavigate()
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set())
  const id = execution?.id
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['diff', id, execution?.state, execution?.sessions.length],
    queryFn: ({ signal }) => getDiff(id ?? '', signal),
    enabled: id !== undefined,
  })
  if (execution === null)
    return <PanelMessage title="There is no branch yet">It is made when the bead starts.</PanelMessage>
  if (error)
    return (
      <PanelMessage title="The diff could not be read" role="alert">
        <p>{error.message}</p>
        <Button onClick={() => void refetch()}>Try again</Button>
      </PanelMessage>
    )
  if (!data) return null
  if (data.files.length === 0)
    return (
      <PanelMessage title="Nothing is changed on the branch">
        <p>
          {execution.endedAt === null
            ? 'The agent has not pushed anything yet.'
            : `Compared ${execution.branch} with where it started.`}
        </p>
        <Button busy={isFetching} onClick={() => void refetch()}>
          Look again
        </Button>
      </PanelMessage>
    )
  const added = data.files.reduce((sum, one) => sum + (one.added ?? 0), 0)
  const removed = data.files.reduce((sum, one) => sum + (one.removed ?? 0), 0)
  const small = linked === undefined && data.files.length <= SMALL_FILES && added + removed <= SMALL_LINES
  const isOpen = (path: string) => (small || path === linked) !== toggled.has(path)
  const toggle = (path: string) => {
    setToggled((old) => new Set(old.has(path) ? [...old].filter((one) => one !== path) : [...old, path]))
    if (!isOpen(path) && !small) void navigate({ search: (old) => ({ ...old, file: path }), replace: true })
  }
  return (
    <div className={css['diff']}>
      <p className={css['sum']}>
        {countText(data.files.length)} {data.files.length === 1 ? 'file' : 'files'},{' '}
        <span className={css['plus']}>+{countText(added)}</span>{' '}
        <span className={css['minus']}>−{countText(removed)}</span> on {execution.branch}
      </p>
      <ul>
        {data.files.map((one) => (
          <File
            key={one.path}
            execution={execution.id}
            file={one}
            open={isOpen(one.path)}
            onToggle={() => toggle(one.path)}
          />
        ))}
      </ul>
    </div>
  )
}

function File({
  execution,
  file,
  open,
  onToggle,
}: {
  execution: string
  file: DiffFileView
  open: boolean
  onToggle: () => void
}) {
  const binary = file.added === null && file.removed === null
  return (
    <li className={css['file']}>
      <button type="button" className={css['head']} aria-expanded={open} onClick={onToggle}>
        <span className={css['letter']} title={letters[file.status]}>
          {file.status}
        </span>
        <span className={css['path']}>
          {file.oldPath !== null && file.oldPath !== file.path && `${shown(file.oldPath)} → `}
          {shown(file.path)}
        </span>
        {binary ? (
          <span className={css['binary']}>binary</span>
        ) : (
          <>
            <span className={css['plus']}>+{file.added ?? 0}</span>
            <span className={css['minus']}>−{file.removed ?? 0}</span>
          </>
        )}
      </button>
      {open && !binary && <Patch execution={execution} path={file.path} />}
    </li>
  )
}

/** More would be slow as plain elements; the rest is a `git diff` away. */
const MOST_LINES = 3000

function Patch({ execution, path }: { execution: string; path: string }) {
  const { data, error } = useQuery({
    queryKey: ['patch', execution, path],
    queryFn: ({ signal }) => getPatch(execution, path, signal),
  })
  if (error) return <p className={css['note']}>{error.message}</p>
  if (!data) return null
  const all = data.patch.replace(/\n$/, '').split('\n')
  const first = all.findIndex((line) => line.startsWith('@@'))
  const lines = all.slice(Math.max(0, first), Math.max(0, first) + MOST_LINES)
  const cut = data.truncated || all.length > first + MOST_LINES
  return (
    <>
      <pre className={css['patch']} tabIndex={0} aria-label={`Patch of ${path}`}>
        {lines.map((line, index) => (
          <span key={index} className={css[kindOf(line)]}>
            {shown(line)}
            {'\n'}
          </span>
        ))}
      </pre>
      {cut && <p className={css['note']}>The patch is longer than what is shown here.</p>}
    </>
  )
}

function kindOf(line: string): 'added' | 'removed' | 'hunk' | 'same' {
  if (line.startsWith('@@')) return 'hunk'
  if (line.startsWith('+')) return 'added'
  return line.startsWith('-') ? 'removed' : 'same'
}
