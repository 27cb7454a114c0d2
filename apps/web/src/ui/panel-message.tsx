import type { ReactNode } from 'react'
import css from './panel-message.module.css'

type Props = {
  title: string
  children?: ReactNode
  role?: 'alert' | 'status'
  /** The page has only this message, so the message's title is the page's heading. */
  alone?: boolean
}

/** One sentence in the middle of an empty panel, and the one next action. */
export function PanelMessage({ title, children, role, alone }: Props) {
  const Title = alone === true ? 'h1' : 'p'
  return (
    <div className={`${css['message']} ${alone === true ? css['alone'] : ''}`} role={role}>
      <Title className={css['title']}>{title}</Title>
      {children}
    </div>
  )
}
