import { CirclePlay, CircleX, Hourglass, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import css from './banner.module.css'

const icons = { bad: CircleX, note: TriangleAlert, quiet: Hourglass, demo: CirclePlay }

type BannerProps = { tone: keyof typeof icons; children: ReactNode; action?: ReactNode }

/** A line above the board about the whole project. */
export function Banner({ tone, children, action }: BannerProps) {
  const Icon = icons[tone]
  return (
    <div className={`${css['banner']} ${css[tone]}`} role={tone === 'bad' ? 'alert' : 'note'}>
      <Icon size={16} strokeWidth={1.75} aria-hidden />
      <div className={css['text']}>{children}</div>
      {action}
    </div>
  )
}

export const warningsClass = css['warnings']
