import { ChevronDown, ChevronRight, Copy, SquarePen, UnfoldVertical } from 'lucide-react'
import { memo } from 'react'
import { codePieces, type CodePiece } from './code-pieces.ts'
import { codeText, MOST_CHARACTERS } from './code-text.ts'
import css from './diff-row-view.module.css'
import type { DiffRow, FileShape } from './diff-rows.ts'
import { isBinary } from './fold-reason.ts'
import type { PatchLine } from './patch-lines.ts'
import syntax from '../syntax.module.css'
import type { Colours } from './use-colours.ts'
import { markWords } from './word-marks.ts'
import { SeverityMark } from '../../review/issues/severity.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { shown } from '../../../ui/text/hostile-text.ts'
import { countText, counted } from '@beadloom/core/text/count-text.ts'
import { LineChange } from '../../../ui/line-change.tsx'

export type RowActions = {
  toggle: (file: number) => void
  view: (file: number, viewed: boolean) => void
  isViewed: (file: number) => boolean
  copyPath: (file: number) => void
  expand: (file: number) => void
  canExpand: (file: number) => boolean
  retry: (file: number) => void
  goToLine: (file: number, line: number) => void
  /** Opens the file in the person's editor; null: there is none, or the file is gone. */
  editorUrl: (file: number) => string | null
  /** The command that shows a patch too long for this page. */
  command: (file: number) => string
}

const letters: Record<string, string> = {
  A: 'added',
  M: 'changed',
  D: 'deleted',
  R: 'renamed',
  C: 'copied',
  T: 'type changed',
}
export const letterWord = (letter: string): string => letters[letter] ?? 'changed'

type Props = {
  row: DiffRow
  shape: FileShape
  marked: boolean
  actions: RowActions
  colours: Colours
  /** The row scrolls by: no colours and marked words, which are most of its elements. */
  plain: boolean
}

/**
 * Rows of code depend on nothing else on the page, and a click on a line number works the same from an older render.
 * They are most of what a frame of scrolling draws.
 */
export const DiffRowView = memo(RowView, (old, now) => {
  const isCode = now.row.is === 'line' || now.row.is === 'pair' || now.row.is === 'hunk'
  return (
    old.row === now.row &&
    old.marked === now.marked &&
    // A row that has its colours keeps them.
    (now.plain || (!old.plain && old.colours === now.colours)) &&
    (isCode || (old.shape === now.shape && old.actions === now.actions))
  )
})

function RowView({ row, shape, marked, actions, colours, plain }: Props) {
  switch (row.is) {
    case 'head':
      return <Head at={row.file} shape={shape} actions={actions} />
    case 'folded':
      return (
        <p className={css['said']}>
          {row.text}{' '}
          {!isBinary(shape.file) && (
            <button type="button" className={css['link']} onClick={() => actions.toggle(row.file)}>
              Show<span className="visually-hidden"> ({shown(shape.file.path)})</span>
            </button>
          )}
        </p>
      )
    case 'waiting':
      return (
        <div className={css['waiting']} style={{ height: row.lines * 20 }}>
          Loading the patch
        </div>
      )
    case 'failed':
      return (
        <div className={css['said']} role="alert">
          <p>{shown(row.text)}</p>
          <Button onClick={() => actions.retry(row.file)}>Try again</Button>
        </div>
      )
    case 'cut':
      return (
        <p className={css['said']}>
          The patch is longer than a megabyte; this is the start. For all of it, run{' '}
          <code>{actions.command(row.file)}</code>
        </p>
      )
    case 'note':
      return (
        <p className={css['note']}>
          <SeverityMark severity={row.note.issue.severity} /> <span>{shown(row.note.issue.title)}</span>
          {row.note.outdated && <span className={css['tag']}>outdated: the file changed since</span>}
          {row.outside && <span className={css['tag']}>line {row.note.line}, not shown</span>}
        </p>
      )
    case 'hunk':
      return <div className={`${css['hunk']} ${marked ? css['marked'] : ''}`}>{codeText(row.text)}</div>
    case 'end':
      return <p className={css['end']}>{codeText(row.text)}</p>
    case 'line': {
      const { line, mate } = row
      return (
        <div className={`${css['line']} ${css[line.kind]} ${marked ? css['marked'] : ''}`} data-kind={line.kind}>
          <Number line={line.old} />
          <Number line={line.now} onGo={(now) => actions.goToLine(row.file, now)} />
          <Sign line={line} />
          <Code line={line} mate={mate} colours={colours} plain={plain} />
        </div>
      )
    }
    default: {
      const { left, right } = row
      return (
        <div className={`${css['pair']} ${marked ? css['marked'] : ''}`}>
          <div className={`${css['half']} ${left ? css[left.kind] : css['empty']}`} data-kind={left?.kind}>
            <Number line={left?.old ?? null} />
            {left && <Sign line={left} />}
            {left && <Code line={left} mate={right === left ? null : right} colours={colours} plain={plain} />}
          </div>
          <div className={`${css['half']} ${right ? css[right.kind] : css['empty']}`} data-kind={right?.kind}>
            <Number line={right?.now ?? null} onGo={(now) => actions.goToLine(row.file, now)} />
            {right && <Sign line={right} />}
            {right && <Code line={right} mate={right === left ? null : left} colours={colours} plain={plain} />}
          </div>
        </div>
      )
    }
  }
}

function Head({ at, shape: { file, open, notes }, actions }: { at: number; shape: FileShape; actions: RowActions }) {
  const name = shown(file.path)
  const editor = actions.editorUrl(at)
  const Chevron = open ? ChevronDown : ChevronRight
  return (
    <div className={css['head']} data-file={file.path}>
      <h2 className={css['title']}>
        <button type="button" className={css['fold']} aria-expanded={open} onClick={() => actions.toggle(at)}>
          <Chevron size={16} strokeWidth={1.5} aria-hidden />
          <span className={css['letter']} title={letterWord(file.status)}>
            {file.status}
            <span className="visually-hidden">: {letterWord(file.status)}</span>
          </span>
          <span className={css['path']}>
            {file.oldPath !== null && file.oldPath !== file.path && `${shown(file.oldPath)} → `}
            {name}
          </span>
        </button>
      </h2>
      <Counts file={file} />
      {notes.length > 0 && <span className={css['tag']}>{counted(notes.length, 'issue')}</span>}
      <IconButton label={`Copy path ${name}`} onClick={() => actions.copyPath(at)}>
        <Copy size={16} strokeWidth={1.5} aria-hidden />
      </IconButton>
      {editor !== null && (
        <a className={css['editor']} href={editor} title={`Open ${name} in your editor`}>
          <SquarePen size={16} strokeWidth={1.5} role="img" aria-label={`Open ${name} in your editor`} />
        </a>
      )}
      {open && actions.canExpand(at) && (
        <IconButton label={`Show more lines around the changes in ${name}`} onClick={() => actions.expand(at)}>
          <UnfoldVertical size={16} strokeWidth={1.5} aria-hidden />
        </IconButton>
      )}
      <label className={css['viewed']}>
        <input
          type="checkbox"
          checked={actions.isViewed(at)}
          onChange={(event) => actions.view(at, event.target.checked)}
        />
        Viewed<span className="visually-hidden"> {name}</span>
      </label>
    </div>
  )
}

export function Counts({ file }: { file: FileShape['file'] }) {
  if (isBinary(file)) return <span className={`${css['counts']} ${css['muted']}`}>binary</span>
  return (
    <span className={css['counts']}>
      <LineChange added={file.added ?? 0} removed={file.removed ?? 0} />
    </span>
  )
}

function Number({ line, onGo }: { line: number | null; onGo?: (line: number) => void }) {
  // A link for the pointer only: a Tab stop at each line would not help the keyboard.
  return (
    <span
      className={css['number']}
      aria-hidden={line === null || undefined}
      data-go={(onGo && line !== null) || undefined}
      onClick={onGo && line !== null ? () => onGo(line) : undefined}
    >
      {line ?? ''}
    </span>
  )
}

const signs = { added: '+', removed: '−', same: ' ', hunk: ' ', note: ' ' }

const Sign = ({ line }: { line: PatchLine }) => <span className={css['sign']}>{signs[line.kind]}</span>

type CodeProps = { line: PatchLine; mate: PatchLine | null; colours: Colours; plain: boolean }

function Code({ line, mate, colours, plain }: CodeProps) {
  const text = line.text.slice(0, MOST_CHARACTERS)
  const more = line.text.length - text.length
  if (plain) return <span className={css['code']}>{codeText(text)}</span>
  const words =
    mate === null || more > 0 ? [{ text, marked: false }] : markWords(text, mate.text.slice(0, MOST_CHARACTERS))
  return (
    <span className={css['code']}>
      {codePieces(words, more > 0 ? null : colours(line)).map((piece, at) =>
        piece.marked || piece.scope !== null ? (
          <span key={at} className={classOf(piece)}>
            {codeText(piece.text)}
          </span>
        ) : (
          codeText(piece.text)
        ),
      )}
      {more > 0 && <span className={css['tag']}>… {countText(more)} more characters</span>}
    </span>
  )
}

function classOf({ marked, scope }: CodePiece): string {
  const colour = scope === null ? '' : (syntax[scope] ?? '')
  return marked ? `${css['word']} ${colour}` : colour
}
