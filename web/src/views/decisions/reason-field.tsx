export function ReasonField({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  return (
    <input
      class="reason"
      value={value}
      placeholder={label}
      aria-label={label}
      maxLength={500}
      onInput={(event) => onChange(event.currentTarget.value)}
    />
  );
}
