import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { useRefusal } from './allowed.ts'
import css from './button.module.css'
import { Hint } from './hint.tsx'

type Props = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> & {
  look?: 'primary' | 'plain' | 'danger' | 'quiet'
  icon?: ReactNode
  /** The reason why it cannot be pressed now. The button stays focusable, so everybody can read the reason. */
  blockedBy?: string | null
  busy?: boolean
  /** The right that it needs (`allowed.ts`). People without it read that as the reason. */
  needs?: string
}

export function Button({
  look = 'plain',
  icon,
  blockedBy: own,
  needs,
  busy,
  children,
  onClick,
  className,
  ...rest
}: Props) {
  const blockedBy = useRefusal(needs) ?? own
  const off = Boolean(blockedBy) || busy === true
  const button = (
    <button
      type="button"
      {...rest}
      className={[css['button'], css[look], className].filter(Boolean).join(' ')}
      aria-disabled={off || undefined}
      aria-busy={busy || undefined}
      onClick={(event) => {
        if (off) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {icon}
      {children}
    </button>
  )
  return blockedBy ? <Hint text={blockedBy}>{button}</Hint> : button
}

type IconProps = Omit<Props, 'children' | 'icon'> & { label: string; children: ReactNode; keys?: string }

/** A button with only a picture: screen readers read its label, and hover and focus show it. */
export function IconButton({
  label,
  children,
  blockedBy: own,
  needs,
  keys,
  className,
  onClick,
  busy,
  ...rest
}: IconProps) {
  const blockedBy = useRefusal(needs) ?? own
  const off = Boolean(blockedBy) || busy === true
  return (
    <Hint text={blockedBy ? `${label}: ${blockedBy}` : label} keys={keys}>
      <button
        type="button"
        {...rest}
        aria-label={label}
        aria-disabled={off || undefined}
        className={[css['icon'], className].filter(Boolean).join(' ')}
        onClick={(event) => {
          if (off) event.preventDefault()
          else onClick?.(event)
        }}
      >
        {children}
      </button>
    </Hint>
  )
}
