import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'
import css from './menu.module.css'

/* Not modal: a modal menu would add a style element to lock scrolling, which the content policy refuses. */
type Props = {
  trigger: ReactNode
  label: string
  children: ReactNode
  /** Both or neither: for a menu that something else opens, too. */
  open?: boolean
  onOpen?: (open: boolean) => void
}

export function Menu({ trigger, label, children, open, onOpen }: Props) {
  return (
    <DropdownMenu.Root modal={false} {...(onOpen ? { open: open ?? false, onOpenChange: onOpen } : {})}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <MenuLayer label={label}>
        <DropdownMenu.Content
          className={css['menu']}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
        >
          {children}
        </DropdownMenu.Content>
      </MenuLayer>
    </DropdownMenu.Root>
  )
}

/**
 * Above the page, with a landmark and a name: people who move from landmark to landmark find nothing outside of them.
 */
export const MenuLayer = ({ label, children }: { label: string; children: ReactNode }) => (
  <DropdownMenu.Portal>
    <div role="region" aria-label={label}>
      {children}
    </div>
  </DropdownMenu.Portal>
)

export function MenuItem({
  onSelect,
  children,
  current,
}: {
  onSelect: () => void
  children: ReactNode
  current?: boolean
}) {
  return (
    <DropdownMenu.Item className={css['item']} onSelect={onSelect} aria-current={current ? 'true' : undefined}>
      {children}
    </DropdownMenu.Item>
  )
}

/** Text to read among the items. */
export const MenuFact = ({ children, className }: { children: ReactNode; className?: string | undefined }) => (
  <DropdownMenu.Item disabled className={className}>
    {children}
  </DropdownMenu.Item>
)

export const MenuLine = () => <DropdownMenu.Separator className={css['line']} />
