/** What is wrong with one field (Bacen's document, `Violacao`). */
export interface Violation {
  readonly razao: string;
  readonly propriedade: string;
}

const STATUSES = {
  RequisicaoInvalida: 400,
  CobOperacaoInvalida: 400,
  CobVOperacaoInvalida: 400,
  PixDevolucaoInvalida: 400,
  WebhookOperacaoInvalida: 400,
  QrcodeOperacaoInvalida: 400,
  RecOperacaoInvalida: 400,
  CobROperacaoInvalida: 400,
  AcessoNegado: 403,
  insufficient_scope: 403,
  NaoEncontrado: 404,
  CobNaoEncontrado: 404,
  RecNaoEncontrada: 404,
  CobRNaoEncontrado: 404,
  EnvioDuplicado: 409,
  ServicoIndisponivel: 503,
} as const;

/** A refusal, by its type in Bacen's document. */
export class Problem extends Error {
  readonly type: keyof typeof STATUSES;
  readonly status: number;
  readonly violations: readonly Violation[];

  /** @param status if this bank answers with another status than the type has. */
  constructor(
    type: keyof typeof STATUSES,
    detail: string,
    violations: readonly Violation[] = [],
    status: number = STATUSES[type],
  ) {
    super(detail);
    this.type = type;
    this.status = status;
    this.violations = violations;
  }
}

/** Refuses a body for one of its fields. */
export function refuseField(type: keyof typeof STATUSES, propriedade: string, razao: string): never {
  throw new Problem(type, 'A requisição não respeita o schema ou as regras da cobrança.', [
    { razao, propriedade },
  ]);
}
