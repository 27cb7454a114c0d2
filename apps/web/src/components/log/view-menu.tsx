import { Check, SlidersHorizontal } from 'lucide-react'
import css from './log-bar.module.css'
import type { ViewChoices } from './view-choices.ts'
import { Menu, MenuItem } from '../../ui/menu.tsx'

const words: Record<Exclude<keyof ViewChoices, 'wrap'>, string> = {
  times: 'Timestamps',
  utc: 'Times in UTC',
  plain: 'Hide program colours',
  raw: 'Show overwritten text (carriage returns)',
  foldFinished: 'Collapse successful steps',
}

/** How logs are shown. */
export function ViewMenu({
  choices,
  onChoice,
}: {
  choices: ViewChoices
  onChoice: (choice: keyof ViewChoices) => void
}) {
  return (
    <Menu
      label="Log view"
      trigger={
        <button type="button" className={css['menu']} title="Log view">
          <SlidersHorizontal size={16} strokeWidth={1.5} aria-hidden />
          <span>View</span>
        </button>
      }
    >
      {(Object.keys(words) as (keyof typeof words)[]).map((choice) => (
        <MenuItem key={choice} onSelect={() => onChoice(choice)} current={choices[choice]}>
          <span className={css['check']}>{choices[choice] && <Check size={16} strokeWidth={1.5} aria-hidden />}</span>
          {words[choice]}
          {choices[choice] && <span className="visually-hidden">, on</span>}
        </MenuItem>
      ))}
    </Menu>
  )
}
