import { ATTENTION, type AttentionKind } from '../../../domain/attention.ts';
import type { Locale } from '../frame/locale.ts';

interface Words {
  readonly what: string;
  readonly why: string;
}

const OVERDUE =
  'A auditoria automática o move adiante a cada cinco minutos, e ele não anda: o que o seu workflow pede falha sempre de novo, como um provedor que não responde.';

/** Translations of `src/domain/attention.ts`. */
const PORTUGUESE: Readonly<Record<AttentionKind, Words>> = {
  RETURN_REFUSED: {
    what: 'Um pagamento que não pôde ser aceito ainda está no provedor, que se recusou a devolvê-lo.',
    why: 'Foi um segundo pagamento, tarde demais ou a menos. A loja não deve ficar com ele, e o pagador ainda não o tem de volta: está na conta suspense do livro-razão.',
  },
  NO_PROVIDER: {
    what: 'Há cobranças ou envios para os quais um worker não tem conta em um provedor, ou tem uma que não consegue usar.',
    why: 'Um worker sem a SECRETS_KEY da conta, ou de uma versão que não conhece o provedor dela, não pode fazer nada; nenhum pode, se a conta de uma assinatura foi removida. Tenta-se de novo até que funcione.',
  },
  CYCLE_CODE_REFUSED: {
    what: 'O banco da loja recusa o código PIX de um ciclo de assinatura.',
    why: 'A chave PIX da conta pode não existir mais, uma permissão pode faltar, ou o banco não aceita o nome ou o CPF/CNPJ do pagador. O pagador não perdeu nada: nenhuma tentativa conta como falha, e a assinatura continua ativa.',
  },
  CERTIFICATE_ENDS: {
    what: 'O certificado de uma conta em um provedor vence em até trinta dias.',
    why: 'Depois disso o provedor não responde mais nada: nenhum código é emitido, nenhum pagamento é encontrado e nada é devolvido.',
  },
  KEY_EXPIRES: {
    what: 'Uma chave de API que está em uso vence em até sete dias.',
    why: 'Desde esse instante todo pedido com ela é recusado, e os fluxos de eventos dela terminam.',
  },
  PROVIDER_REFUSES: {
    what: 'O provedor de uma conta não aceita as credenciais ou o certificado dela.',
    why: 'Venceram, foram revogados ou não têm uma permissão; ou o certificado do próprio provedor é assinado por quem a conta não conhece. Até que isso se resolva, nenhum código é emitido, nenhum pagamento é encontrado e nada é devolvido.',
  },
  PROVIDER_AWAY: {
    what: 'O provedor de uma conta não responde há meia hora.',
    why: 'Está fora do ar ou fora de alcance daqui, ou responde o que não se entende. Quem paga não recebe códigos novos; o que for pago enquanto isso entra assim que ele responder.',
  },
  UNKNOWN_PAYMENT: {
    what: 'O banco tem um pagamento de uma cobrança que este serviço não emitiu.',
    why: 'O processo caiu depois de o código ser criado no banco e antes de ser gravado, ou outro programa emite cobranças pela mesma conta. O dinheiro está com a loja, e em nenhum livro-razão daqui.',
  },
  PAYMENT_NOT_FOUND: {
    what: 'O banco informou um pagamento de uma cobrança e, há 90 minutos, não o encontra ao ser consultado, ou o atribui a outra cobrança.',
    why: 'O banco notificou ou listou o pagamento, e responde "não encontrado" à consulta. A cobrança não está paga: só se registra um pagamento que o banco confirma. O Recebe consulta de novo a cada cinco minutos por um dia, depois a cada hora, e sempre que o banco o informar.',
  },
  UNREADABLE_PAYMENT: {
    what: 'O banco lista ou notifica um pagamento, ou uma devolução, em um formato que esta versão não consegue ler.',
    why: 'Falta um campo, ou ele tem um valor que o documento do Banco Central não permite. Todo o resto foi registrado.',
  },
  PAYOUT_MISMATCH: {
    what: 'O provedor tem, com o id deste repasse, um envio de outro valor ou para outra chave.',
    why: 'O banco de dados foi restaurado e o externalId foi usado de novo com outro conteúdo, ou outro programa enviou dinheiro com este id. Nada foi enviado por este repasse, e o valor continua reservado.',
  },
  PAYOUT_IN_DOUBT: {
    what: 'O banco recusa um repasse que uma requisição anterior pode ter ordenado e, há dez minutos, não o encontra.',
    why: 'A resposta à primeira requisição se perdeu, e ela pode ter chegado ao banco. Agora o banco recusa a mesma ordem, e a consulta não encontra nada. O repasse continua pendente, com o valor reservado, e o banco é consultado a cada 15 minutos.',
  },
  PAYOUT_REVIVED: {
    what: 'O banco enviou um repasse que aqui constava como falho.',
    why: 'O banco recusou o envio, ou disse que não pôde fazê-lo, e o fez mesmo assim. A loja foi avisada da falha e pode ter enviado o dinheiro de novo. O repasse agora está concluído e saiu do saldo, que pode ter ficado negativo.',
  },
  PAYOUT_UNDONE: {
    what: 'O banco diz que não fez um repasse que havia informado como enviado.',
    why: 'A lista do banco mostra o repasse como não realizado. Aqui ele está concluído e saiu do saldo, e a loja foi avisada. O dinheiro está com o favorecido ou na conta do provedor: só o banco sabe. Nada é creditado, porque um crédito errado poderia ser enviado de novo.',
  },
  REFUND_REVIVED: {
    what: 'O banco fez um reembolso que aqui constava como falho.',
    why: 'O banco recusou o reembolso, ou disse que não pôde fazê-lo, e o fez mesmo assim. A loja foi avisada da falha e pode ter devolvido o dinheiro por outro meio. O reembolso agora está concluído e saiu do saldo, que pode ter ficado negativo.',
  },
  SENT_NOT_LISTED: {
    what: 'O provedor de uma conta não lista o que foi enviado dela.',
    why: 'Ele recusa a lista, por exemplo sem o escopo dela ou com credenciais que ele não aceita, ou não responde há duas horas. Enquanto isso, o que os recebedores devolvem não é creditado, e o que foi enviado pelo aplicativo do banco não é visto.',
  },
  UNKNOWN_TRANSFER: {
    what: 'O banco enviou dinheiro que este serviço não pediu, ou não com este conteúdo.',
    why: 'Alguém usou o aplicativo do banco, outro programa envia dinheiro pela mesma conta, ou o banco de dados foi restaurado e perdeu o repasse. O dinheiro saiu da conta, e nenhum saldo daqui diminuiu por isso.',
  },
  NEGATIVE_BALANCE: {
    what: 'A loja deve dinheiro: o saldo disponível está negativo.',
    why: 'Um pagamento foi estornado no próprio banco, o banco do pagador o tomou de volta (MED), ou um reembolso ou repasse que aqui falhou foi feito lá, e a loja já tinha enviado o dinheiro para outro lugar. Repasses são recusados até que novos pagamentos cubram a diferença.',
  },
  BANK_DIFFERENCE: {
    what: 'O que o banco diz que foi pago em um dia não é o que diz o livro-razão.',
    why: 'A conciliação comparou os dois, pagamento por pagamento e até o centavo.',
  },
  LEDGER_DRIFT: {
    what: 'Os movimentos do livro-razão e aquilo por que foram escritos não fecham.',
    why: 'A conferência achou um centavo fora do lugar: alguém mudou linhas à mão, ou há um defeito.',
  },
  AUDIT_LOG_BROKEN: {
    what: 'Faltam linhas no registro de auditoria, ou elas foram alteradas.',
    why: 'Cada linha traz o hash da anterior, e eles não batem. O serviço não consegue fazer isso: alguém com os direitos do dono do banco de dados fez, ou o disco perdeu dados.',
  },
  CHARGE_OVERDUE: {
    what: 'Uma cobrança continua em aberto embora o prazo tenha passado, ou nunca foi decidida.',
    why: OVERDUE,
  },
  CHECKOUT_OVERDUE: { what: 'Um checkout expirou e continua em aberto.', why: OVERDUE },
  SUBSCRIPTION_OVERDUE: {
    what: 'Uma assinatura está ativa, e a próxima cobrança dela não foi iniciada.',
    why: OVERDUE,
  },
  REFUND_OVERDUE: { what: 'Um reembolso não foi feito nem recusado.', why: OVERDUE },
  RETURN_OVERDUE: {
    what: 'Um pagamento que não pôde ser aceito não voltou ao pagador, nem foi recusado pelo banco.',
    why: OVERDUE,
  },
  PAYOUT_OVERDUE: {
    what: 'Um repasse ou uma transferência não chegou nem falhou. O dinheiro está reservado.',
    why: OVERDUE,
  },
  DELIVERY_OVERDUE: { what: 'Um webhook deveria ser enviado, e nenhuma tentativa é feita.', why: OVERDUE },
  RESEND_OVERDUE: { what: 'As entregas de um período que está sendo reenviado não andam.', why: OVERDUE },
  SETTLEMENT_OVERDUE: {
    what: 'Dinheiro pago à loja deveria estar disponível e não está.',
    why: OVERDUE,
  },
  NOTICE_OVERDUE: {
    what: 'O banco de teste avisa de um pagamento ou de uma disputa, sempre de novo, e o aviso não é aceito.',
    why: OVERDUE,
  },
};

/** What happened and why, in the reader's language. */
export function attentionWords(kind: AttentionKind, locale: Locale): Words {
  return locale === 'en' ? ATTENTION[kind] : PORTUGUESE[kind];
}
