import { Check, SlidersHorizontal } from 'lucide-react'
import type { ReactNode } from 'react'
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

type Props = { choices: ViewChoices; onChoice: (choice: keyof ViewChoices) => void }

/** The menu with the choices for how logs are shown. */
export function ViewMenu({ choices, onChoice }: Props) {
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
      <ViewItems choices={choices} onChoice={onChoice} />
    </Menu>
  )
}

export const ViewItems = ({ choices, onChoice }: Props) =>
  (Object.keys(words) as (keyof typeof words)[]).map((choice) => (
    <Choice key={choice} on={choices[choice]} flip={() => onChoice(choice)}>
      {words[choice]}
    </Choice>
  ))

/** A menu item that is on or off. */
export const Choice = ({ on, flip, children }: { on: boolean; flip: () => void; children: ReactNode }) => (
  <MenuItem onSelect={flip} current={on}>
    <span className={css['check']}>{on && <Check size={16} strokeWidth={1.5} aria-hidden />}</span>
    {children}
    {on && <span className="visually-hidden">, on</span>}
  </MenuItem>
)
