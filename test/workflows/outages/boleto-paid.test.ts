import { endsAsWithoutOutages } from '../../support/lives/outages.ts';

endsAsWithoutOutages('a boleto that is paid on its last day');
