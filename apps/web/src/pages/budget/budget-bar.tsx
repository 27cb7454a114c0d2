import { Link, useNavigate } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import css from './budget-page.module.css'
import { periods, stepIn, tableKeys, usualDays, usualKey, type BudgetSearch, type Days } from './budget-search.ts'
import { budgetFile } from '../../api/budget.ts'
import { saveFile } from '../../api/sign-ins.ts'
import { toastError } from '../../ui/toast.tsx'
import type { UseKey } from '@beadloom/core/api/budgets/token-use-api.ts'
import { useKeys } from '../../ui/keys/keys.ts'
import button from '../../ui/button.module.css'

type Props = { project: string; days: Days; by: UseKey }

/** The choice of days, the file to download, and the page's keys. */
export function BudgetBar({ project, days, by }: Props) {
  const navigate = useNavigate({ from: '/p/$project/budget' })
  const allDays = periods.map((period) => period.days)
  const period = (step: 1 | -1) => void navigate({ search: searchOf(stepIn(allDays, days, step), by), replace: true })
  const table = (step: 1 | -1) =>
    void navigate({ search: searchOf(days, stepIn<UseKey>(tableKeys, by, step)), replace: true })
  const file = budgetFile(project, days)
  const save = () => void saveFile(file).catch(toastError)
  useKeys('Budget', [
    { keys: ['<'], does: 'Fewer days', run: () => period(-1) },
    { keys: ['>'], does: 'More days', run: () => period(1) },
    { keys: ['n'], does: 'Group by the next: bead, model, agent, phase, kind, day', run: () => table(1) },
    { keys: ['p'], does: 'Group by the previous', run: () => table(-1) },
    { keys: ['D'], does: 'Export as CSV', run: save },
  ])
  return (
    <header className={css['head']}>
      <h1>Budget</h1>
      <nav className={css['choices']} aria-label="Days">
        {periods.map((one) => (
          <Link
            key={one.days}
            to="/p/$project/budget"
            params={{ project }}
            search={searchOf(one.days, by)}
            replace
            className={css['choice']}
            activeOptions={{ exact: true, includeSearch: true }}
          >
            {one.name}
          </Link>
        ))}
      </nav>
      <a
        href={file}
        download
        className={button['button']}
        onClick={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <Download size={16} strokeWidth={1.5} aria-hidden /> Export CSV
      </a>
    </header>
  )
}

/** The defaults are left out of the address. */
export const searchOf = (days: Days, by: UseKey): BudgetSearch => ({
  ...(days !== usualDays && { days }),
  ...(by !== usualKey && { by }),
})
