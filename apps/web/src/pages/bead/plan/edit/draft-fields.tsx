import { Plus } from 'lucide-react'
import { useState } from 'react'
import { added, changed, mostSubtasks, moved, removed, type PlanDraft } from './plan-draft.ts'
import css from './plan-editor.module.css'
import { SubtaskFields } from './subtask-fields.tsx'
import { Button } from '../../../../ui/button.tsx'
import form from '../../../../ui/form.module.css'

type Props = { draft: PlanDraft; problems: readonly string[]; onChange: (next: PlanDraft) => void }

/** The goal, the subtasks and the document of a plan. */
export function DraftFields({ draft, problems, onChange }: Props) {
  /** Subtasks whose fields are open. */
  const [open, setOpen] = useState<ReadonlySet<number>>(() => new Set())
  return (
    <div className={`${form['form']} ${css['fields']}`}>
      <label>
        Goal
        <textarea rows={2} value={draft.goal} onChange={(event) => onChange({ ...draft, goal: event.target.value })} />
      </label>
      <section className={css['subtasks']} aria-labelledby="draft-subtasks">
        <h3 id="draft-subtasks">Subtasks</h3>
        {draft.subtasks.map((one, at) => (
          <SubtaskFields
            key={one.key}
            draft={one}
            at={at}
            all={draft.subtasks}
            problems={problems}
            open={open.has(one.key)}
            onOpen={(yes) =>
              setOpen((old) => (yes ? new Set(old).add(one.key) : new Set([...old].filter((key) => key !== one.key))))
            }
            onChange={(some) => onChange(changed(draft, one.key, some))}
            onMove={(by) => onChange(moved(draft, one.key, by))}
            onRemove={() => onChange(removed(draft, one.key))}
          />
        ))}
        <Button
          className={css['add']}
          blockedBy={draft.subtasks.length >= mostSubtasks ? `a plan has at most ${mostSubtasks} subtasks` : null}
          icon={<Plus size={16} strokeWidth={1.5} aria-hidden />}
          onClick={() => {
            const next = added(draft)
            onChange(next)
            setOpen((old) => new Set(old).add(next.subtasks.at(-1)?.key ?? 0))
          }}
        >
          Add a subtask
        </Button>
      </section>
      <label>
        The plan as a document (Markdown)
        <textarea
          rows={14}
          className={css['code']}
          value={draft.planMarkdown}
          onChange={(event) => onChange({ ...draft, planMarkdown: event.target.value })}
        />
      </label>
    </div>
  )
}
