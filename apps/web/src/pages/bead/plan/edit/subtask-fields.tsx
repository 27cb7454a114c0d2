import { subtaskTypes, type SubtaskType } from '@beadloom/core/records/plan.ts'
import { ArrowDown, ArrowUp, CircleX, Trash2 } from 'lucide-react'
import { useId } from 'react'
import { problemsAbout, type SubtaskDraft } from './plan-draft.ts'
import css from './plan-editor.module.css'
import tones from '../../../../components/bead/tones.module.css'
import { IconButton } from '../../../../ui/button.tsx'
import form from '../../../../ui/form.module.css'
import { shown } from '../../../../ui/text/hostile-text.ts'

type Props = {
  draft: SubtaskDraft
  at: number
  all: readonly SubtaskDraft[]
  problems: readonly string[]
  open: boolean
  onOpen: (open: boolean) => void
  onChange: (some: Partial<SubtaskDraft>) => void
  onMove: (by: 1 | -1) => void
  onRemove: () => void
}

const typeHints: Record<SubtaskType, string> = {
  test: 'test: tests that fail at first',
  impl: 'impl: makes them pass',
  refactor: 'refactor: keeps them passing',
}

/** One subtask: a line, with its fields once opened. */
export function SubtaskFields({ draft, at, all, problems, open, onOpen, onChange, onMove, onRemove }: Props) {
  const own = problemsAbout(problems, draft, at)
  const name = draft.id === '' ? `subtask number ${at + 1}` : `subtask ${draft.id}`
  return (
    <details className={css['subtask']} open={open} onToggle={(event) => onOpen(event.currentTarget.open)}>
      <summary>
        <code>{shown(draft.id === '' ? '–' : draft.id)}</code>
        <span className={css['title']}>{draft.title.trim() === '' ? 'Without a title' : shown(draft.title)}</span>
        <span className={css['muted']}>{draft.type}</span>
        {own.length > 0 && (
          <span className={`${css['wrong']} ${tones['failed']}`}>
            <CircleX size={16} strokeWidth={1.75} aria-hidden />
            <span className="visually-hidden">has problems</span>
          </span>
        )}
      </summary>
      <div className={css['body']}>
        <IdAndType draft={draft} isWrong={own.length > 0} onChange={onChange} />
        <label>
          Title
          <input value={draft.title} onChange={(event) => onChange({ title: event.target.value })} />
        </label>
        <label>
          Description
          <textarea
            rows={4}
            value={draft.description}
            onChange={(event) => onChange({ description: event.target.value })}
          />
        </label>
        <label>
          Files it creates or changes, one a line
          <textarea
            rows={Math.min(8, draft.files.split('\n').length + 1)}
            className={css['code']}
            spellCheck={false}
            value={draft.files}
            onChange={(event) => onChange({ files: event.target.value })}
          />
        </label>
        <DoneAfter draft={draft} all={all} onChange={onChange} />
        {own.length > 0 && (
          <ul className={css['own']}>
            {own.map((one) => (
              <li key={one} className={form['error']}>
                {shown(one)}
              </li>
            ))}
          </ul>
        )}
        <Tools name={name} first={at === 0} last={at === all.length - 1} onMove={onMove} onRemove={onRemove} />
      </div>
    </details>
  )
}

type PartProps = Pick<Props, 'draft' | 'onChange'>

function IdAndType({ draft, isWrong, onChange }: PartProps & { isWrong: boolean }) {
  const [idField, typeField] = [useId(), useId()]
  return (
    <div className={css['pair']}>
      <div>
        <label htmlFor={idField}>Id</label>
        <input
          id={idField}
          value={draft.id}
          spellCheck={false}
          aria-invalid={isWrong || undefined}
          onChange={(event) => onChange({ id: event.target.value })}
        />
      </div>
      <div>
        <label htmlFor={typeField}>Type</label>
        <select
          id={typeField}
          value={draft.type}
          onChange={(event) => onChange({ type: event.target.value as SubtaskType })}
        >
          {subtaskTypes.map((type) => (
            <option key={type} value={type}>
              {typeHints[type]}
            </option>
          ))}
        </select>
      </div>
    </div>
  )
}

function DoneAfter({ draft, all, onChange }: PartProps & Pick<Props, 'all'>) {
  const others = all.filter(({ key }) => key !== draft.key)
  // Dependencies on missing subtasks or on itself: shown, so that a person can remove them.
  const strays = draft.dependsOn.filter((one) => typeof one === 'string' || one === draft.key)
  const choices = [
    ...others.map(({ key, id, title }) => ({ key, id, title })),
    ...strays.map((key) => ({
      key,
      id: typeof key === 'string' ? key : draft.id,
      title: 'no other subtask of this plan',
    })),
  ]
  const toggle = (key: number | string, yes: boolean) =>
    onChange({ dependsOn: yes ? [...draft.dependsOn, key] : draft.dependsOn.filter((one) => one !== key) })
  if (choices.length === 0) return null
  return (
    <fieldset className={css['after']}>
      <legend>Done after</legend>
      {choices.map(({ key, id, title }) => (
        <label key={key} title={shown(title)}>
          <input
            type="checkbox"
            checked={draft.dependsOn.includes(key)}
            onChange={(event) => toggle(key, event.target.checked)}
          />
          <code>{shown(id === '' ? '–' : id)}</code>
          {strays.includes(key) && <span className={tones['failed']}> unknown</span>}
        </label>
      ))}
    </fieldset>
  )
}

type ToolsProps = Pick<Props, 'onMove' | 'onRemove'> & { name: string; first: boolean; last: boolean }

const Tools = ({ name, first, last, onMove, onRemove }: ToolsProps) => (
  <div className={css['tools']}>
    <IconButton label={`Move ${name} up`} blockedBy={first ? 'it is the first' : null} onClick={() => onMove(-1)}>
      <ArrowUp size={16} strokeWidth={1.5} aria-hidden />
    </IconButton>
    <IconButton label={`Move ${name} down`} blockedBy={last ? 'it is the last' : null} onClick={() => onMove(1)}>
      <ArrowDown size={16} strokeWidth={1.5} aria-hidden />
    </IconButton>
    <IconButton label={`Remove ${name}`} onClick={onRemove}>
      <Trash2 size={16} strokeWidth={1.5} aria-hidden />
    </IconButton>
  </div>
)
