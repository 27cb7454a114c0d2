import { Copy, Send } from 'lucide-react'
import css from './issue-bar.module.css'
import type { Grouping } from './issues.ts'
import type { IssueActions } from './use-issue-actions.tsx'
import { Button } from '../../../ui/button.tsx'

type Props = { by: Grouping; onGroup: (by: Grouping) => void; actions: IssueActions }

/** The grouping of issues, and actions for the selected ones. */
export function IssueBar({ by, onGroup, actions: { open, chosen, select, copy, send } }: Props) {
  const all = chosen.length === open.length
  return (
    <div className={css['bar']} role="toolbar" aria-label="Issues">
      <div className={css['by']} role="group" aria-label="Group by">
        {(['severity', 'file'] as const).map((one) => (
          <button key={one} type="button" aria-pressed={by === one} onClick={() => onGroup(one)}>
            By {one}
          </button>
        ))}
      </div>
      {open.length > 0 && (
        <Button look="quiet" onClick={() => select(open, !all)}>
          {all
            ? 'Clear selection'
            : open.length === 1
              ? 'Select the open issue'
              : `Select all ${open.length} open issues`}
        </Button>
      )}
      <span className={css['grow']} role="status">
        {chosen.length > 0 && `${chosen.length} selected`}
      </span>
      {chosen.length > 0 && (
        <>
          <Button onClick={() => copy(chosen)} icon={<Copy size={16} strokeWidth={1.5} aria-hidden />}>
            Copy as prompt
          </Button>
          <Button look="primary" onClick={send} icon={<Send size={16} strokeWidth={1.5} aria-hidden />}>
            Send to agent
          </Button>
        </>
      )}
    </div>
  )
}
